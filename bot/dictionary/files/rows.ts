import type { Draft } from '../entry.ts'

/** An entry of a file: where it stands there, and what it says, or why it can't be read. */
export type Row = { at: number; draft: Draft } | { at: number; reason: RowFault }

/** `columns`: it lacks one of two; `quote`: one that begins here has no end; `fields`: a field is missing or of the wrong kind; `priority`, `kind`: no such one. */
export type RowFault = 'columns' | 'lineTooLong' | 'quote' | 'fields' | 'priority' | 'kind'

/** `line`: `at` is a line's number; `entry`: it counts the entries. Both begin with 1. */
export interface ParsedFile {
  by: 'line' | 'entry'
  rows: Row[]
}

/** Entries that are looked at of one file. */
export const ROWS_MAX = 10_000
