import type { Cell } from '../apps-script.ts'

export interface Stored {
  value: Cell
  /** The text ran as a formula: what a cell that a stranger filled must never do. */
  isFormula: boolean
}

const NUMBER = /^[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?(?:e[+-]?\d+)?%?$/i
const DATE = /^\d{1,4}[-/]\d{1,2}(?:[-/]\d{1,4})?(?:[ T]\d{1,2}:\d{2}(?::\d{2})?)?$/
const TIME = /^\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?$/i
const MONTH = /^(?:\d{1,2} )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,4}$/i

/**
 * What a Google Sheet makes of a value that a script sets, or a hand types. The format `@` keeps a text as it is, with two
 * exceptions that are taken at their worst here, since reports differ: a leading `=` (and `+`, `-` before no number) runs, and a
 * leading apostrophe is swallowed.
 */
export function coerce(value: Cell, format: string): Stored {
  const isText = format === '@'
  if (typeof value === 'object') return { value: isText ? value.toISOString() : isDateFormat(format) ? value : serialOf(value), isFormula: false }
  if (typeof value !== 'string') return { value: isText ? String(value) : value, isFormula: false }
  if (value.startsWith("'")) return { value: value.slice(1), isFormula: false }
  if (/^[=+-]./u.test(value) && !isNumber(value)) return { value: '#NAME?', isFormula: true }
  return { value: isText ? value : guess(value), isFormula: false }
}

/** `General` becomes a format of a date by itself. */
const isDateFormat = (format: string) => format === 'General' || /[ymdhs]/.test(format)

/** A date is a number of days; only its format makes a date of it when it is read. */
const serialOf = (date: Date) => date.getTime() / 86_400_000 + 25_569

function guess(text: string): Cell {
  const trimmed = text.trim()
  if (/^(?:true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === 'true'
  if (isNumber(trimmed)) return toNumber(trimmed)
  if (DATE.test(trimmed) || TIME.test(trimmed) || MONTH.test(trimmed)) {
    const date = new Date(TIME.test(trimmed) ? `1899-12-30 ${trimmed}` : trimmed)
    return Number.isNaN(date.getTime()) ? text : date
  }
  return text
}

const isNumber = (text: string) => NUMBER.test(text) && /\d/.test(text)

/** A sheet shows and keeps 15 significant digits; the rest of a longer number becomes zeros. */
function toNumber(text: string): number {
  const plain = Number(text.replace(/[,%]/g, ''))
  return Number((text.endsWith('%') ? plain / 100 : plain).toPrecision(15))
}
