import { angleAt } from './angle.ts'
import { createBackticks } from './backticks.ts'
import { LINK_START, linkAt, targetAt } from './link.ts'
import { createSpoilers } from './spoilers.ts'
import type { Item, Mark } from './token.ts'

/** At the beginning of a line: quotes, headings, small print, lists. */
const LINE_START = /[ \t]{0,8}(?:>>>[ \n]|> |#{1,3} |-# |[-*] )/y

/** Everything else that can mean something. */
const SPECIAL = new RegExp(`[\\\\\`*_~|<[\\]@\\n]|${LINK_START}`, 'gi')

const ESCAPABLE = /[!-/:-@[-`{-~]/
const CROWD = /(?<![\p{L}\p{N}.])@(everyone|here)\b/uy
const WORD = /[\p{L}\p{N}_]/u

/**
 * Discord's markdown -> items in order, in one pass: every character is looked at a bounded number of times, so that the time grows with the
 * length and with nothing else.
 */
export function scan(content: string): Item[] {
  const items: Item[] = []
  const backticks = createBackticks(content)
  const spoilers = createSpoilers(content)
  /** Open `[`, innermost last. */
  const brackets: (Mark | undefined)[] = []
  let at = lineStart(content, 0)

  const text = (end: number) => {
    if (end > at) items.push({ kind: 'text', text: content.slice(at, end) })
    at = end
  }
  const put = (item: Item, end: number) => {
    items.push(item)
    at = end
  }

  while (at < content.length) {
    SPECIAL.lastIndex = at
    const found = SPECIAL.exec(content)
    text(found?.index ?? content.length)
    if (found === null) break
    const char = content.charAt(at)
    switch (char) {
      case '\n':
        text(at + 1)
        at = lineStart(content, at)
        break
      case '\\':
        if (ESCAPABLE.test(content.charAt(at + 1))) at += 1
        text(at + 1)
        break
      case '`': {
        const code = backticks.at(at)
        if (typeof code === 'number') text(at + code)
        else put(code.token, code.end)
        break
      }
      case '<': {
        const angle = angleAt(content, at)
        if (angle === undefined) text(at + 1)
        else put(angle.token, angle.end)
        break
      }
      case '@': {
        CROWD.lastIndex = at
        const who = CROWD.exec(content)?.[1]
        if (who === undefined) text(at + 1)
        else put({ kind: 'crowd', who: who as 'everyone' | 'here' }, CROWD.lastIndex)
        break
      }
      case '|': {
        const spoiler = spoilers.at(at)
        if (spoiler === undefined) text(at + runLength(content, at))
        else put({ kind: 'spoiler', inside: spoiler.inside }, spoiler.end)
        break
      }
      case '*':
      case '_':
      case '~': {
        const mark = markAt(content, at, char)
        if (mark === undefined) text(at + runLength(content, at))
        else put(mark, at + mark.left)
        break
      }
      case '[': {
        const mark: Mark = { kind: 'mark', char, left: 1, opens: true, closes: false }
        brackets.push(mark)
        put(mark, at + 1)
        break
      }
      case ']': {
        const open = brackets.pop()
        const target = open === undefined ? undefined : targetAt(content, at + 1)
        if (open === undefined || target === undefined) text(at + 1)
        else {
          // The masking text stands for the link.
          open.left = 0
          at = target.end
        }
        break
      }
      default: {
        const url = linkAt(content, at)
        if (url === undefined) text(at + found[0].length)
        else put({ kind: 'link', url }, at + url.length)
      }
    }
  }
  return items
}

/** Where the text of the line begins. */
function lineStart(content: string, at: number): number {
  LINE_START.lastIndex = at
  while (LINE_START.test(content)) at = LINE_START.lastIndex
  LINE_START.lastIndex = 0
  return at
}

function runLength(content: string, at: number): number {
  let length = 1
  while (content.charAt(at + length) === content.charAt(at)) length += 1
  return length
}

/** A run that may be markup: one to three `*` or `_`, two `~`. */
function markAt(content: string, at: number, char: '*' | '_' | '~'): Mark | undefined {
  const left = runLength(content, at)
  if (char === '~' ? left !== 2 : left > 3) return undefined
  const before = content.charAt(at - 1)
  const after = content.charAt(at + left)
  if (left > 1) return { kind: 'mark', char, left, opens: true, closes: true }
  const isBegun = /\S/.test(after)
  const isEnded = /\S/.test(before)
  return { kind: 'mark', char, left, opens: isBegun && !(char === '_' && WORD.test(before)), closes: isEnded && !(char === '_' && WORD.test(after)) }
}
