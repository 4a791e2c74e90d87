/** Where a link may begin. */
export const LINK_START = '(?:https?|discord|steam)://|(?<![\\w.])(?:www\\.|discord\\.gg/)'

/** A link up to what can't stand in one; the full-width punctuation of Japanese text ends it too. */
const RUN = new RegExp(`(?:${LINK_START})(?=[\\p{L}\\p{N}])[^\\s<>|\`"[\\]\\u3000-\\u303f\\uff01\\uff08\\uff09\\uff0c\\uff1a\\uff1b\\uff1f\\uff5e]+`, 'iuy')

/** A host alone, where the sentence goes on at once: `https://example.comを見て`. */
const HOST_ONLY = /^(?:[a-z]+:\/\/)?[\w.:@%-]+(?=[^\x21-\x7e])/i

/** The target of a masked link, from its `(` on. */
const TARGET = /\(\s*<?(https?:\/\/(?:[^\s()<>]|\([^\s()<>]*\))+)>?(?:\s+"[^"\n]*")?\s*\)/iy

/** The link that is written out at `at`, without the punctuation of the sentence around it; undefined when there is none. */
export function linkAt(content: string, at: number): string | undefined {
  RUN.lastIndex = at
  const run = RUN.exec(content)?.[0]
  return run === undefined ? undefined : trimmed(HOST_ONLY.exec(run)?.[0] ?? run)
}

export function targetAt(content: string, at: number): { url: string; end: number } | undefined {
  TARGET.lastIndex = at
  const url = TARGET.exec(content)?.[1]
  return url === undefined ? undefined : { url, end: TARGET.lastIndex }
}

/** A bracket at the end that was opened inside is the link's own. */
function trimmed(run: string): string {
  let end = run.length
  let unopened = 0
  for (const char of run) unopened += char === ')' ? 1 : char === '(' ? -1 : 0
  for (; end > 0; end--) {
    const last = run.charAt(end - 1)
    if (last === ')' && unopened > 0) unopened -= 1
    else if (!".,:;!?'*_~}".includes(last)) break
  }
  return run.slice(0, end)
}
