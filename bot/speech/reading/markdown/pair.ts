import type { Item, Mark } from './token.ts'

/** Takes away the marks of emphasis that have a partner, each with the nearest before it. Marks left open in between are text. */
export function pairEmphasis(items: readonly Item[]): void {
  const open: Mark[] = []
  const openOf: Record<Mark['char'], number> = { '*': 0, _: 0, '~': 0, '[': 0 }
  for (const item of items) {
    if (item.kind !== 'mark' || item.char === '[') continue
    const { char } = item
    while (item.closes && item.left > 0 && openOf[char] > 0) {
      const last = open.at(-1)
      if (last === undefined) break
      if (last.char === char) {
        const paired = Math.min(last.left, item.left)
        last.left -= paired
        item.left -= paired
        if (last.left > 0) continue
      }
      open.pop()
      openOf[last.char] -= 1
    }
    if (item.opens && item.left > 0) {
      open.push(item)
      openOf[char] += 1
    }
  }
}
