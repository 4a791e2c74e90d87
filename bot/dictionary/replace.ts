import type { Entry } from './entry.ts'
import { PRIORITY } from './entry.ts'
import { bordersOf } from './borders.ts'
import { foldText } from './fold.ts'
import type { Literals } from './literals.ts'
import type { Groups, Patterns } from './patterns.ts'
import { expandGroups } from './patterns.ts'
import { createWork } from './work.ts'
import type { Work } from './work.ts'

/** An entry of a scope; a smaller `id` is older; `key` is what tells it from the scope's others of its kind. */
export interface Kept extends Entry {
  id: number
  key: string
}

/** One scope's entries, ready to be found. */
export interface Finder {
  literals: Literals<Kept>
  patterns: Patterns<Kept>
}

/** An entry that was found in a text, by UTF-16 units. */
export interface Use {
  /** Place of the scope among those that were given. */
  scope: number
  entry: Kept
  start: number
  end: number
  /** Of a regular expression. */
  groups?: Groups
}

/** Characters that a text may grow to, or what it had, if that is more; what is beyond is cut off. */
export const GROWN_MAX = 4_000

/**
 * Puts what is to be spoken in the place of what is written, in one pass: what was put in is never looked at again. Where entries overlap, the one of
 * higher priority goes first, then that of the narrower scope; among those of one scope and priority the first in the text, there the longest, and
 * at last the oldest.
 * @param scopes the narrowest first
 * @param work what it may cost; what is left of it is for the next text of the same message
 */
export function replaceWords(text: string, scopes: readonly Finder[], work: Work = createWork(scopes.length)): { text: string; uses: Use[] } {
  const ranks = findAll(text, scopes, work)
  if (ranks.size === 0) return { text, uses: [] }
  const uses = choose(text.length, ranks)
  return { text: spokenText(text, uses, Math.max(text.length, GROWN_MAX)), uses }
}

/** All that could be used, by its rank; the first rank is 0. */
type Ranks = ReadonlyMap<number, Use[]>

function findAll(text: string, scopes: readonly Finder[], { patterns: patternWork, words }: Work): Ranks {
  const folded = foldText(text)
  const isWhole = bordersOf(text)
  const ranks = new Map<number, Use[]>()
  scopes.forEach(({ literals, patterns }, scope) => {
    const add = (use: Use) => {
      const rank = (PRIORITY.max - use.entry.priority) * scopes.length + scope
      const there = ranks.get(rank)
      if (there === undefined) ranks.set(rank, [use])
      else there.push(use)
    }
    literals.find(folded, words[scope] ?? { left: 0 }, (start, end, entry) => {
      if (!entry.wholeWord || isWhole(start, end)) add({ scope, entry, start, end })
    })
    patterns.find(text, folded, patternWork, (start, end, entry, groups) => add({ scope, entry, start, end, groups }))
  })
  return ranks
}

/** Rank by rank, each from the first place to the last: what is still free goes to the longest. */
function choose(length: number, ranks: Ranks): Use[] {
  const chosen: Use[] = []
  for (const [, uses] of [...ranks].sort(([a], [b]) => a - b)) {
    const freeUntil = freeUntilOf(length, chosen)
    let best: Use | undefined
    // Sorting by the place alone is linear here: words were found in that order.
    for (const use of uses.sort((a, b) => a.start - b.start)) {
      if (use.end > (freeUntil[use.start] ?? 0)) continue
      if (best !== undefined && use.start > best.start) {
        if (use.start < best.end) continue
        chosen.push(best)
        best = undefined
      }
      if (best === undefined || use.end > best.end || (use.end === best.end && use.entry.id < best.entry.id)) best = use
    }
    if (best !== undefined) chosen.push(best)
  }
  return chosen.sort((a, b) => a.start - b.start)
}

/** For every place where what was chosen leaves it free: up to there. */
function freeUntilOf(length: number, chosen: readonly Use[]): Int32Array {
  const freeUntil = new Int32Array(length + 1).fill(-1)
  for (const { start, end } of chosen) freeUntil.fill(start, start, end)
  let until = length
  for (let at = length; at >= 0; at--) {
    const taken = freeUntil[at] ?? -1
    if (taken >= 0) until = taken
    freeUntil[at] = taken >= 0 ? at : until
  }
  return freeUntil
}

function spokenText(text: string, uses: readonly Use[], maxChars: number): string {
  let spoken = ''
  let from = 0
  for (const { entry, start, end, groups } of uses) {
    if (spoken.length > maxChars) break
    spoken += text.slice(from, start) + (groups === undefined ? entry.to : expandGroups(entry.to, groups))
    from = end
  }
  return cutTo(spoken + text.slice(from), maxChars)
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Not inside a grapheme. */
function cutTo(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : text.slice(0, graphemes.segment(text).containing(maxChars)?.index ?? maxChars)
}
