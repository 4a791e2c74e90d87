import fuzzysort from 'fuzzysort'
import type { Entry } from './entry.ts'
import { foldWord } from './fold.ts'

/** Close enough to be meant, of 0 to 1. */
const SCORE_MIN = 0.2

/** The entries that somebody means who typed this, best first, by what is written and what is spoken; all of them in their order when nothing was. */
export function searchEntries<E extends Entry>(entries: readonly E[], typed: string, limit: number): E[] {
  const query = foldWord(typed.trim())
  if (query === '') return entries.slice(0, limit)
  const keys = [(entry: Entry) => prepared(entry).from, (entry: Entry) => prepared(entry).to]
  return fuzzysort.go(query, entries, { keys, limit, threshold: SCORE_MIN }).map(({ obj }) => obj)
}

type Target = ReturnType<typeof fuzzysort.prepare>

/** What is searched of an entry; kept with it, since somebody types a letter every moment. */
const known = new WeakMap<Entry, { from: Target; to: Target }>()

function prepared(entry: Entry): { from: Target; to: Target } {
  const there = known.get(entry)
  if (there !== undefined) return there
  const made = { from: fuzzysort.prepare(foldWord(entry.from)), to: fuzzysort.prepare(foldWord(entry.to)) }
  known.set(entry, made)
  return made
}
