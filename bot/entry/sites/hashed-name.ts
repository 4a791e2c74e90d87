/** As bundlers name what they write: hexadecimal, esbuild's base 32, and the base 64 of Vite and Rollup. */
const HASHES = [/^[0-9a-f]{8,64}$/, /^[2-7A-Z]{8}$/, /^[\w-]{8}$/]

/** Words and numbers look like that as well, one by one and joined: `Version2`, `SUMMER25`, `feed2024`, `12-Nov26`. */
const WORD = /^(?:[A-Z]?[a-z]+\d*[A-Za-z]?|[A-Z]+\d*|\d+|.{0,3})$/

/**
 * Whether a file's name ends in a hash of its content (`main-3f9a2c1b.js`), so that it never means anything else. A word that is taken for a hash would be
 * kept for a year after the file changed; a hash that is taken for a word costs a question each time. So in doubt it is a word, and a page is never hashed.
 */
export function isHashed(path: string): boolean {
  const [, stem = '', extension = ''] = /([^/\\]+)\.([A-Za-z0-9]+)$/.exec(path) ?? []
  if (/^html?$/i.test(extension)) return false
  const marks = [/[.-]([^.-]+)$/.exec(stem)?.[1], /[.-](.{8})$/.exec(stem)?.[1]]
  return marks.some((mark) => mark !== undefined && isHash(mark))
}

function isHash(mark: string): boolean {
  if (mark.split(/[-_]/).every((part) => WORD.test(part))) return false
  const [hex, base32, base64] = HASHES.map((each) => each.test(mark))
  const hasDigit = /\d/.test(mark)
  if (hex === true || base32 === true) return hasDigit && /[A-Za-z]/.test(mark)
  return base64 === true && hasDigit && /[a-z]/.test(mark) && /[A-Z]/.test(mark)
}
