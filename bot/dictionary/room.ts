import { stepsOf } from './pattern.ts'
import { PATTERNS_MAX, STEPS_MAX } from './patterns.ts'
import type { Kept } from './replace.ts'
import { ENTRIES_MAX } from './scope.ts'
import type { Scope } from './scope.ts'

export type RoomFault = 'full' | 'regexTooMany' | 'regexTooLargeTogether'

type Keyed = Pick<Kept, 'kind' | 'key'>

export interface Room {
  /** Takes the room that an entry needs, or says why there is none; one of the same kind and key needs no more. */
  take(entry: Keyed): RoomFault | undefined
}

/** What a scope still takes beside what it has. */
export function roomIn(scope: Scope, entries: readonly Keyed[]): Room {
  const there = new Set<string>()
  let patterns = 0
  let steps = 0

  function take({ kind, key }: Keyed): RoomFault | undefined {
    if (there.has(`${kind} ${key}`)) return undefined
    if (there.size >= ENTRIES_MAX[scope.of]) return 'full'
    if (kind === 'regex') {
      const own = stepsOf(key)
      if (patterns >= PATTERNS_MAX) return 'regexTooMany'
      if (steps + own > STEPS_MAX) return 'regexTooLargeTogether'
      patterns++
      steps += own
    }
    there.add(`${kind} ${key}`)
    return undefined
  }

  for (const entry of entries) take(entry)
  return { take }
}
