import { VoxError } from '../core/errors.ts'
import type { Utterance } from '../speech/speak.ts'

/** The files that are being made: how many there may be, and how they end when the bot does. */
export interface Files {
  begin(utterance: Utterance, authorId: string): { ok: true; end: () => void } | { ok: false; reason: 'queueFull' | 'restarting' }
  /** Takes no more from now on. */
  refuse(): void
  /** Gives up what is not done yet: its authors read that the bot restarts. */
  abort(): void
}

const AT_ONCE_MAX = 100
const OF_ONE_MEMBER_MAX = 3

export function createFiles(): Files {
  const underWay = new Map<Utterance, string>()
  let refusing = false
  return {
    begin(utterance, authorId) {
      if (refusing) return { ok: false, reason: 'restarting' }
      const own = [...underWay.values()].filter((author) => author === authorId).length
      if (underWay.size >= AT_ONCE_MAX || own >= OF_ONE_MEMBER_MAX) return { ok: false, reason: 'queueFull' }
      underWay.set(utterance, authorId)
      return {
        ok: true,
        end() {
          underWay.delete(utterance)
          // What was fetched ahead of a failure is of no use to anybody.
          utterance.cancel()
        }
      }
    },
    refuse() {
      refusing = true
    },
    abort() {
      for (const utterance of underWay.keys()) utterance.cancel(new VoxError('RESTARTING'))
    }
  }
}
