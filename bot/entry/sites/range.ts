import { parse } from 'range-parser'

/** As `range-parser` says it. */
const MALFORMED = 1

/**
 * The one range that GET asks for, both ends included. Undefined is the whole: where several are asked at once, or of another version than the caller
 * has. A date never names a version: a file may change twice in a second.
 */
export function rangeOf(asked: Readonly<Record<string, string>>, tag: string, sizeBytes: number): { start: number; end: number } | 'unsatisfiable' | undefined {
  const wanted = asked['range']
  const since = asked['if-range']
  if (wanted === undefined || (since !== undefined && since !== tag)) return undefined
  const { code, type, ranges } = parse(sizeBytes, wanted)
  const [range, ...more] = ranges
  if (type.toLowerCase() !== 'bytes' || code === MALFORMED || more.length > 0) return undefined
  return range ?? 'unsatisfiable'
}
