import { spokenLength } from '../speech/segments.ts'

/** How long a text takes to say, learned from what was said. */
export interface Pace {
  estimateMs(text: string): number
  learn(text: string, tookMs: number): void
}

/** 15 Latin letters or seven kana a second: what most voices do. */
const FIRST_MS_PER_UNIT = 66

/** A voice that is this much slower or faster than the first guess is an odd one out, not the pace here. */
const MIN_MS_PER_UNIT = FIRST_MS_PER_UNIT / 4
const MAX_MS_PER_UNIT = FIRST_MS_PER_UNIT * 4

/** How much one utterance counts against all before it. */
const WEIGHT = 0.2

export function createPace(): Pace {
  let msPerUnit = FIRST_MS_PER_UNIT
  return {
    estimateMs: (text) => spokenLength(text) * msPerUnit,
    learn(text, tookMs) {
      const measured = Math.min(MAX_MS_PER_UNIT, Math.max(MIN_MS_PER_UNIT, tookMs / Math.max(1, spokenLength(text))))
      msPerUnit += WEIGHT * (measured - msPerUnit)
    }
  }
}
