import { parseCsv } from './csv.ts'
import { parseJson } from './json.ts'
import { ROWS_MAX } from './rows.ts'
import type { ParsedFile } from './rows.ts'

type FileFault = 'empty' | 'badJson' | 'unknownJson' | 'tooManyRows'

/** A table's first word may begin with a bracket too. */
const LIKE_JSON = /^\s*(?:\[\s*[[{\]"]|\{\s*["}])/

/** A dictionary's file, as text: ours, VOICEVOX's, or any table of two columns. */
export function parseFile(text: string): { ok: true; file: ParsedFile } | { ok: false; reason: FileFault } {
  if (text.trim() === '') return { ok: false, reason: 'empty' }
  const parsed = LIKE_JSON.test(text) ? parseJson(text) : { ok: true as const, file: parseCsv(text) }
  if (!parsed.ok) return parsed
  if (parsed.file === undefined || parsed.file.rows.length > ROWS_MAX) return { ok: false, reason: 'tooManyRows' }
  return parsed.file.rows.length === 0 ? { ok: false, reason: 'empty' } : { ok: true, file: parsed.file }
}
