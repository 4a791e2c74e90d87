import { createHash } from 'node:crypto'
import type { PoolNode } from '../../bot/nodes/node.ts'

const DOES = ['refresh', 'pick', 'enable', 'disable', 'drain', 'test'] as const
export type Does = (typeof DOES)[number]

/** What a control of the panel does, and the node that is picked there; all of it stands in its `customId`, so that it works after a restart. */
export interface Control {
  does: Does
  tag: string
}

/** A node's id as a control carries it: an id can be longer than Discord allows, and hold any character. `''`: none is picked. */
export function tagOf(serverId: string | undefined): string {
  return serverId === undefined ? '' : createHash('sha256').update(serverId).digest('base64url').slice(0, 12)
}

export function nodeOf(tag: string, nodes: readonly PoolNode[]): PoolNode | undefined {
  return tag === '' ? undefined : nodes.find(({ serverId }) => tagOf(serverId) === tag)
}

export function idOf({ does, tag }: Control): string {
  return `nodes:${does}:${tag}`
}

/** Undefined for a control that is none of ours, or of another version. */
export function controlOf(customId: string): Control | undefined {
  const [, named, tag = ''] = customId.split(':')
  const does = DOES.find((each) => each === named)
  return does === undefined ? undefined : { does, tag }
}
