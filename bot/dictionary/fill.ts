import { setImmediate as turn } from 'node:timers/promises'
import { checkEntry, keyOf } from './entry.ts'
import type { Draft, Entry, EntryFault } from './entry.ts'
import { PATTERNS_MAX } from './patterns.ts'
import type { Kept } from './replace.ts'
import type { Room, RoomFault } from './room.ts'

export type AddFault = EntryFault | RoomFault

/** What became of the entries of a file; `refused` names those by their place in what was given. */
export interface Filled {
  added: number
  changed: number
  /** As they were already, or given twice. */
  same: number
  removed: number
  refused: { index: number; reason: AddFault; detail?: string }[]
}

export interface FillOptions {
  drafts: readonly Draft[]
  /** What is there. */
  before: readonly Kept[]
  how: 'merge' | 'replace'
  room: Room
  /** Writes at once, in one transaction. */
  put: (entries: readonly Entry[]) => void
  remove: (entries: readonly Kept[]) => void
}

/** A packet of speech is due every 20 ms, in this thread. */
const SLICE = 200

/** Compiling a pattern takes a moment; a file of bad ones is not worth more. */
const PATTERNS_TRIED_MAX = 2 * PATTERNS_MAX

/**
 * Many entries, in slices between which all else goes on. What a replacement removes is removed last, so that a kill in the middle loses nothing; where
 * nothing of it fits, nothing is removed.
 */
export async function fillScope({ drafts, before, how, room, put, remove }: FillOptions): Promise<Filled> {
  const filled: Filled = { added: 0, changed: 0, same: 0, removed: 0, refused: [] }
  const there = new Map<string, Entry>(before.map((entry) => [`${entry.kind} ${entry.key}`, entry]))
  const seen = new Set<string>()
  let patternsTried = 0

  function fitting(draft: Draft, index: number): Entry[] {
    if (draft.kind === 'regex' && ++patternsTried > PATTERNS_TRIED_MAX) {
      filled.refused.push({ index, reason: 'regexTooMany' })
      return []
    }
    const checked = checkEntry(draft)
    const key = checked.ok ? keyOf(checked.entry) : ''
    const reason = checked.ok ? room.take({ kind: checked.entry.kind, key }) : checked.reason
    if (!checked.ok || reason !== undefined) {
      if (reason !== undefined) filled.refused.push({ index, reason, ...(!checked.ok && checked.detail !== undefined && { detail: checked.detail }) })
      return []
    }
    const { entry } = checked
    const name = `${entry.kind} ${key}`
    const was = there.get(name)
    filled[was === undefined ? 'added' : seen.has(name) || isSame(was, entry) ? 'same' : 'changed']++
    there.set(name, entry)
    seen.add(name)
    return [entry]
  }

  for (let from = 0; from < drafts.length; from += SLICE) {
    put(drafts.slice(from, from + SLICE).flatMap((draft, index) => fitting(draft, from + index)))
    await turn()
  }
  const gone = how === 'merge' || seen.size === 0 ? [] : before.filter((entry) => !seen.has(`${entry.kind} ${entry.key}`))
  for (let from = 0; from < gone.length; from += SLICE) {
    remove(gone.slice(from, from + SLICE))
    await turn()
  }
  return { ...filled, removed: gone.length }
}

function isSame(was: Entry, now: Entry): boolean {
  return was.from === now.from && was.to === now.to && was.priority === now.priority && was.wholeWord === now.wholeWord
}
