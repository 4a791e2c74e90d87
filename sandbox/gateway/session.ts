import { randomBytes } from 'node:crypto'

/** Events that a session can miss and still be resumed. */
const REPLAY_MAX = 500

/** Everything that Discord knows of intents; bits beyond are invalid (4013). */
export const INTENT = {
  guilds: 1 << 0,
  guildMembers: 1 << 1,
  guildVoiceStates: 1 << 7,
  guildPresences: 1 << 8,
  guildMessages: 1 << 9,
  directMessages: 1 << 12,
  messageContent: 1 << 15
} as const

export const INTENTS_ALL = (1 << 26) - 1

interface Event {
  s: number
  t: string
  json: string
}

/**
 * A bot's session, which outlives its sockets: events are numbered, and the newest are kept so that a RESUME gets what
 * its client missed.
 */
export interface Session {
  readonly id: string
  readonly intents: number
  /** Sends an event to the connection of the moment, or keeps it for the next one. */
  dispatch(type: string, data: object): void
  /** Takes a connection, which gets every event after `seq`; false when some of those are gone. */
  attach(send: (json: string) => void, seq: number): boolean
  detach(): void
  readonly isAttached: boolean
}

export function createSession(intents: number): Session {
  const kept: Event[] = []
  let lastSeq = 0
  let send: ((json: string) => void) | undefined
  return {
    id: randomBytes(16).toString('hex'),
    intents,
    dispatch(type, data) {
      const event = { s: ++lastSeq, t: type, json: JSON.stringify({ op: 0, t: type, s: lastSeq, d: data }) }
      kept.push(event)
      if (kept.length > REPLAY_MAX) kept.shift()
      send?.(event.json)
    },
    attach(newSend, seq) {
      const oldestKept = kept[0]?.s ?? 1
      if (seq > lastSeq || seq < oldestKept - 1) return false
      send = newSend
      for (const event of kept) if (event.s > seq) newSend(event.json)
      return true
    },
    detach: () => void (send = undefined),
    get isAttached() {
      return send !== undefined
    }
  }
}
