import type { Entry } from '../entry.ts'
import { draftOf } from './fields.ts'
import { ROWS_MAX } from './rows.ts'
import type { ParsedFile, Row } from './rows.ts'

type Parsed = { ok: true; file: ParsedFile } | { ok: false; reason: 'badJson' | 'unknownJson' }

/** Ours: `{version, entries}`, an entry a line. */
export function formatJson(entries: readonly Entry[]): string {
  const rows = entries.slice(0, ROWS_MAX + 1).map(({ from, to, kind, priority, wholeWord }) => JSON.stringify({ from, to, kind, priority, wholeWord }))
  return `{"version":1,"entries":[\n${rows.join(',\n')}\n]}\n`
}

/**
 * Ours, whole or the entries alone; VOICEVOX's user dictionary, an object of `{surface, pronunciation, priority, ...}` by ids; or an object of what is
 * spoken by what is written.
 */
export function parseJson(text: string): Parsed {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return { ok: false, reason: 'badJson' }
  }
  const entries = entriesIn(given)
  if (entries === undefined) return { ok: false, reason: 'unknownJson' }
  const rows = entries.slice(0, ROWS_MAX + 1).map((entry, index): Row => ({ at: index + 1, ...draftOf(isVoicevox(entry) ? fromVoicevox(entry) : entry) }))
  return { ok: true, file: { by: 'entry', rows } }
}

function entriesIn(given: unknown): unknown[] | undefined {
  if (Array.isArray(given)) return given as unknown[]
  if (typeof given !== 'object' || given === null) return undefined
  if ('entries' in given) return Array.isArray(given.entries) ? given.entries : undefined
  const pairs = Object.entries(given)
  if (pairs.every(([, value]) => typeof value === 'string')) return pairs.map(([from, to]) => ({ from, to: String(to) }))
  const values = pairs.map(([, value]): unknown => value)
  return values.some(isVoicevox) ? values : undefined
}

interface VoicevoxWord {
  surface: unknown
  pronunciation?: unknown
  priority?: unknown
}

const isVoicevox = (value: unknown): value is VoicevoxWord => typeof value === 'object' && value !== null && 'surface' in value

/** Its surfaces are all in wide letters, whatever was typed; its accents are for the engine alone. */
function fromVoicevox({ surface, pronunciation, priority }: VoicevoxWord) {
  const from = typeof surface === 'string' ? surface.replace(/[\uff01-\uff5e\u3000]+/g, (wide) => wide.normalize('NFKC')) : surface
  return { from, to: pronunciation, ...(priority !== undefined && { priority }) }
}
