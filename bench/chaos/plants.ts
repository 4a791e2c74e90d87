import type { Relay } from '../../bot/speech/relay.ts'

export const PLANTS = ['lost', 'twice', 'cut', 'order'] as const
export type Plant = (typeof PLANTS)[number]

/** A relay with a bug, in one segment of fifty: what the bench must catch. */
export function plant(relay: Relay, bug: Plant): Relay {
  let asked = 0
  return async (ask, options) => {
    const stream = await relay(ask, options)
    asked += 1
    if (asked % 50 !== 0) return stream
    const { packets } = stream
    switch (bug) {
      case 'lost':
        throw new Error('planted')
      case 'twice':
        return { ...stream, packets: [...packets, ...packets] }
      case 'cut':
        return { ...stream, packets: packets.slice(0, -3) }
      case 'order':
        return { ...stream, packets: packets.toReversed() }
    }
  }
}
