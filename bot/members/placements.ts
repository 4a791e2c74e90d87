export interface Placements {
  /** The device is at this node until then; no earlier than any time given before. */
  set(deviceId: string, serverId: string, untilMs: number): void
  forget(nowMs: number): void
  entries(): Iterable<[string, { serverId: string }]>
  size(): number
}

/**
 * Devices at nodes, each for a while, with every change told as it happens, so that counts need no counting. What is set last stands
 * last, so only the first ones can have run out.
 */
export function createPlacements(onChange: (serverId: string, by: 1 | -1) => void): Placements {
  const placed = new Map<string, { serverId: string; untilMs: number }>()
  let firstUntilMs = -Infinity
  return {
    set(deviceId, serverId, untilMs) {
      const before = placed.get(deviceId)
      if (before !== undefined) placed.delete(deviceId)
      placed.set(deviceId, { serverId, untilMs })
      if (before?.serverId === serverId) return
      if (before !== undefined) onChange(before.serverId, -1)
      onChange(serverId, 1)
    },
    forget(nowMs) {
      if (nowMs < firstUntilMs) return
      for (const [deviceId, { serverId, untilMs }] of placed) {
        firstUntilMs = untilMs
        if (untilMs > nowMs) break
        placed.delete(deviceId)
        onChange(serverId, -1)
      }
    },
    entries: () => placed,
    size: () => placed.size
  }
}
