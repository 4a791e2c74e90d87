import { RE2Set } from 're2js'
import type { RE2JS } from 're2js'
import type { Entry } from './entry.ts'
import type { Folded } from './fold.ts'
import { checkPattern } from './pattern.ts'
import type { Budget } from './work.ts'

/** Patterns that one scope may have, and the steps of all their programs. */
export const PATTERNS_MAX = 50
export const STEPS_MAX = 400

/** Of the automaton that tells which patterns occur in a text at all; beyond it RE2 goes without one. */
export const AUTOMATON_MAX_BYTES = 512 * 1024

/** What a match's groups matched, the whole first. */
export type Groups = readonly (string | undefined)[]

export interface Patterns<E> {
  /** Every match that is not empty and is made of whole graphemes; fewer when `work` is used up. */
  find(text: string, folded: Folded, work: Budget, found: (start: number, end: number, entry: E, groups: Groups) => void): void
}

export function compilePatterns<E extends Entry>(entries: readonly E[]): Patterns<E> {
  // A pattern that another version of RE2 took, and this one doesn't, is as good as none.
  const compiled = entries.flatMap((entry) => {
    const pattern = checkPattern(entry.from)
    return pattern.ok ? [{ entry, ...pattern }] : []
  })
  if (compiled.length === 0) return { find: () => undefined }
  const occurring = new RE2Set(RE2Set.UNANCHORED, 0, AUTOMATON_MAX_BYTES)
  for (const { entry } of compiled) occurring.add(entry.from)

  return {
    find(text, { isBoundary }, work, found) {
      for (const index of occurring.match(text)) {
        const { entry, regex, steps } = compiled[index] ?? {}
        if (entry === undefined || regex === undefined) continue
        for (const { start, end, groups } of matchesOf(regex, text, steps ?? 0, work)) {
          if (end > start && isBoundary[start] === 1 && isBoundary[end] === 1) found(start, end, entry, groups)
        }
      }
    }
  }
}

function* matchesOf(regex: RE2JS, text: string, steps: number, work: Budget): Generator<{ start: number; end: number; groups: Groups }> {
  const matches = regex.matchAll(text)
  for (let from = 0; ; ) {
    // Paid as if each search went on to the end: it may.
    work.left -= steps * (text.length - from + 1)
    if (work.left < 0) return
    const next = matches.next()
    if (next.done === true) return
    const { index: start = 0, 0: whole } = next.value
    from = start + whole.length
    yield { start, end: from, groups: next.value }
  }
}

/** `$1` is what the first group matched, `$0` all, `$$` a dollar; the number of a group that is not there stands for itself. */
export function expandGroups(to: string, groups: Groups): string {
  return to.replace(/\$(\$|\d)/g, (whole, what: string) => {
    if (what === '$') return '$'
    return Number(what) < groups.length ? (groups[Number(what)] ?? '') : whole
  })
}
