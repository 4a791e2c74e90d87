/**
 * The part of Discord's markdown that messages here use, as a tree of plain objects:
 * `{type, text}` for leaves, `{type, children}` for spans, and what a mention or link names. Nothing here makes markup.
 */
const DEPTH_MAX = 8

const RULES = [
  [/```(?:[\w+-]{0,20}\n)?([\s\S]+?)```/y, ([, text]) => ({ type: 'codeBlock', text: text.replace(/\n$/, '') })],
  [/``([^\n]+?)``|`([^`\n]+)`/y, ([, double, single]) => ({ type: 'code', text: double ?? single })],
  [/\\([!-/:-@[-`{-~])/y, ([, text]) => ({ type: 'text', text })],
  [/<@!?(\d{1,20})>/y, ([, id]) => ({ type: 'user', id })],
  [/<@&(\d{1,20})>/y, ([, id]) => ({ type: 'role', id })],
  [/<#(\d{1,20})>/y, ([, id]) => ({ type: 'channel', id })],
  [/@(everyone|here)\b/y, ([text]) => ({ type: 'everyone', text })],
  [/<\/([^:>\n]{1,100}):\d{1,20}>/y, ([, name]) => ({ type: 'command', text: `/${name}` })],
  [/<a?:(\w{2,32}):\d{1,20}>/y, ([, name]) => ({ type: 'emoji', text: `:${name}:` })],
  [/<t:(-?\d{1,13})(?::([tTdDfFR]))?>/y, ([, seconds, style]) => ({ type: 'time', atMs: Number(seconds) * 1000, style: style ?? 'f' })],
  [/\[([^\]\n]{1,200})\]\(<?(https?:\/\/[^\s)>]+)>?\)/y, ([, text, url]) => ({ type: 'link', text, url })],
  [/<(https?:\/\/[^\s>]+)>/y, ([, url]) => ({ type: 'link', text: url, url })],
  [/https?:\/\/[^\s<]*[^\s<.,:;"')\]!?]/y, ([url]) => ({ type: 'link', text: url, url })],
  [/\*\*(?=\S)([\s\S]*?\S)\*\*/y, ([, inner], depth) => ({ type: 'strong', children: spans(inner, depth) })],
  [/__(?=\S)([\s\S]*?\S)__/y, ([, inner], depth) => ({ type: 'underline', children: spans(inner, depth) })],
  [/~~(?=\S)([\s\S]*?\S)~~/y, ([, inner], depth) => ({ type: 'strike', children: spans(inner, depth) })],
  [/\|\|([\s\S]+?)\|\|/y, ([, inner], depth) => ({ type: 'spoiler', children: spans(inner, depth) })],
  [/\*(?=[^\s*])([^*]*[^\s*])\*/y, ([, inner], depth) => ({ type: 'emphasis', children: spans(inner, depth) })],
  [/(?<!\w)_(?=[^\s_])([^_]*[^\s_])_(?!\w)/y, ([, inner], depth) => ({ type: 'emphasis', children: spans(inner, depth) })]
]

/** Blocks first (quotes, headings, small print, list items: one line each), spans within them. */
export function parseMarkdown(text) {
  const blocks = []
  let plain = ''
  const flush = () => {
    if (plain !== '') blocks.push(...spans(plain, 0))
    plain = ''
  }
  for (const piece of text.split(/(```[\s\S]+?```)/)) {
    if (piece.startsWith('```')) {
      plain += piece
      continue
    }
    for (const line of piece.split(/(?<=\n)/)) {
      const block = /^(?:(> )|(#{1,3} )|(-# )|([-*] ))(.+)\n?$/.exec(line)
      if (!block) {
        plain += line
        continue
      }
      flush()
      const type = block[1] ? 'quote' : block[2] ? 'heading' : block[3] ? 'small' : 'item'
      blocks.push({ type, children: spans(block[5], 1) })
    }
  }
  flush()
  return blocks
}

function spans(text, depth) {
  if (depth >= DEPTH_MAX) return [{ type: 'text', text }]
  const nodes = []
  let plain = ''
  let at = 0
  while (at < text.length) {
    const found = firstMatch(text, at, depth)
    if (!found) {
      plain += text[at++]
      continue
    }
    if (plain !== '') nodes.push({ type: 'text', text: plain })
    plain = ''
    nodes.push(found.node)
    at = found.end
  }
  if (plain !== '') nodes.push({ type: 'text', text: plain })
  return nodes
}

function firstMatch(text, at, depth) {
  if (!/[`\\<@[h*_~|]/.test(text[at])) return null
  for (const [pattern, make] of RULES) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match) return { node: make(match, depth + 1), end: at + match[0].length }
  }
  return null
}
