import { createHash } from 'node:crypto'
import type { PoolNode } from './node.ts'

/** A node's id where it may not stand itself: it can be longer than a control of Discord's allows, hold any character, and is nobody's business on a public page. 12 characters; `''`: none. */
export function tagOf(serverId: string | undefined): string {
  return serverId === undefined ? '' : createHash('sha256').update(serverId).digest('base64url').slice(0, 12)
}

export function nodeOf(tag: string, nodes: readonly PoolNode[]): PoolNode | undefined {
  return tag === '' ? undefined : nodes.find(({ serverId }) => tagOf(serverId) === tag)
}
