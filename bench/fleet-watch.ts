import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../bot/core/clock.ts'
import type { ServerRow } from '../bot/wire/registry.ts'
import type { FleetNode, Truth } from './fleet-node.ts'

interface Seen {
  truth: Truth
  sinceMs: number
  told: boolean
}

/** Compares the list with the truth. A change is right at once or late by its lag; later than the limit it is wrong. */
export function watchList(nodes: readonly FleetNode[], options: { clock: Clock; limitMs: number; beatMs: number; sampleEveryMs: number }, list: () => Promise<ServerRow[]>) {
  const { clock, limitMs, sampleEveryMs } = options
  const seen = new Map<string, Seen>()
  const newest = new Map<string, number>()
  const wrong: string[] = []
  const lagsMs: number[] = []
  let samples = 0

  const look = async (): Promise<Truth[]> => {
    samples++
    const before = nodes.map((node) => node.truth())
    const rows = await list()
    const truths = nodes.map((node) => node.truth())
    const nowMs = clock.monotonic()
    const ids = rows.map(({ serverId }) => serverId)
    if (new Set(ids).size !== ids.length) wrong.push(`a node stands twice in ${ids.join(', ')}`)
    for (const [index, node] of nodes.entries()) {
      const truth = truths[index] ?? 'changing'
      const row = rows.find(({ serverId }) => serverId === node.serverId)
      const fault = neverRight(node, row)
      if (fault !== undefined) wrong.push(fault)
      const last = seen.get(node.serverId)
      if (last?.truth !== truth || before[index] !== truth) {
        seen.set(node.serverId, { truth, sinceMs: nowMs, told: false })
        continue
      }
      const ageMs = row === undefined ? 0 : clock.now() - row.lastSeen
      if (isRight(truth, row, ageMs, options)) {
        if (!last.told) lagsMs.push(nowMs - last.sinceMs)
        last.told = true
      } else if (nowMs - last.sinceMs > limitMs) {
        wrong.push(`${node.serverId}: ${truth} for ${Math.round((nowMs - last.sinceMs) / 1000)} s, but the list says ${String(row?.apiUrl)}, seen ${Math.round(ageMs / 1000)} s ago`)
      }
    }
    return truths
  }

  /** An address that this node never had, or an older one after a newer: an instance that is gone has overwritten the one that lives. */
  function neverRight(node: FleetNode, row: ServerRow | undefined): string | undefined {
    if (row?.apiUrl == null) return undefined
    const position = node.addresses().findIndex((address) => address === row.apiUrl)
    if (position < 0) return `${node.serverId}: ${row.apiUrl} is not its address`
    if (position < (newest.get(node.serverId) ?? 0)) return `${node.serverId}: ${row.apiUrl} is back from the past`
    newest.set(node.serverId, position)
    return undefined
  }

  const sample = async () => {
    const truths = await look()
    await pause(sampleEveryMs)
    return truths
  }
  return {
    sample,
    async until(reached: (truths: Truth[]) => boolean) {
      for (let tries = 0; tries < 600; tries++) if (reached(await sample())) return
      throw new Error('the nodes did not come up')
    },
    async settle() {
      const endMs = clock.monotonic() + limitMs * 1.2
      while (clock.monotonic() < endMs) await sample()
    },
    result: () => ({ samples, wrong, lagsMs, changes: lagsMs.length })
  }
}

function isRight(truth: Truth, row: ServerRow | undefined, ageMs: number, { limitMs, beatMs }: { limitMs: number; beatMs: number }): boolean {
  switch (truth) {
    case 'changing':
      return true
    case 'absent':
      return row === undefined
    case 'dead':
      return row === undefined || ageMs > beatMs
    case 'null':
      return row !== undefined && row.apiUrl === null && ageMs <= limitMs
    default:
      return row?.apiUrl === truth && ageMs <= limitMs
  }
}
