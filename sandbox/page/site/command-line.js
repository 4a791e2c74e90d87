import { optionValue, TYPE } from './option-value.js'

/**
 * Reads a line such as `/say text:Hello voice:auto` or `/say Hello`: which entry it names, and what was written for each option.
 * Words before the first `option:` belong to the first option that takes text (or the first one at all).
 * `null` when no entry of that name is known.
 */
export function parseCommandLine(line, entries) {
  const entry = entryOf(line, entries)
  if (!entry) return null
  const rest = line.slice(1 + entry.typed.length)
  return { entry: entry.entry, written: writtenOptions(entry.entry.options, rest) }
}

/** The entry with the longest name that the line starts with. */
function entryOf(line, entries) {
  if (!line.startsWith('/')) return null
  const text = line.slice(1).toLowerCase()
  return entries
    .flatMap((entry) => [...new Set([entry.label, entry.name])].map((typed) => ({ entry, typed })))
    .filter(({ typed }) => text === typed.toLowerCase() || (text.startsWith(typed.toLowerCase()) && /\s/.test(text[typed.length])))
    .sort((a, b) => b.typed.length - a.typed.length)[0]
}

function writtenOptions(options, rest) {
  const marks = [...rest.matchAll(/(?<=^|\s)([^\s:]{1,32}):/g)].flatMap((match) => {
    const option = options.find(({ name, label }) => [name, label].includes(match[1].toLowerCase()))
    return option ? [{ option, start: match.index, end: match.index + match[0].length }] : []
  })
  // Of an option that is named twice the second is text: "text:see text: below".
  const firsts = marks.filter(({ option }, at) => marks.findIndex((mark) => mark.option === option) === at)
  const written = Object.fromEntries(firsts.map(({ option, end }, at) => [option.name, rest.slice(end, firsts[at + 1]?.start).trim()]))
  const loose = rest.slice(0, firsts[0]?.start).trim()
  const unnamed = options.filter(({ name }) => !(name in written))
  const taker = unnamed.find(({ type, choices }) => type === TYPE.string && !choices?.length) ?? unnamed[0]
  if (loose !== '' && taker) written[taker.name] = loose
  return written
}

/** Checks everything at once: the values to send, and a problem for each option that has one. */
export function checkOptions(entry, written, places) {
  const values = {}
  const problems = {}
  for (const option of entry.options) {
    const text = written[option.name] ?? ''
    if (text.trim() === '') {
      if (option.required) problems[option.name] = 'This one is required.'
      continue
    }
    const { value, problem } = optionValue(option, text, places)
    if (problem === undefined) values[option.name] = value
    else problems[option.name] = problem
  }
  return { values, problems }
}
