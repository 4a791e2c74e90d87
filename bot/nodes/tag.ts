import { createHmac } from 'node:crypto'
import type { PoolNode } from './node.ts'

/**
 * A node's id where it may not stand itself: it can be longer than a control of Discord's allows, hold any character, and is nobody's business on a public
 * page. 12 characters.
 */
export type TagOf = (serverId: string) => string

/** By a secret: ids are names of machines, and whoever knows how tags are made could try them all. */
export function tagsBy(secret: Uint8Array): TagOf {
  return (serverId) => createHmac('sha256', secret).update(serverId).digest('base64url').slice(0, 12)
}

/** @param tag `''`: none */
export function nodeOf(tag: string, nodes: readonly PoolNode[]): PoolNode | undefined {
  return nodes.find((node) => node.tag === tag)
}
