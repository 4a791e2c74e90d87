import type { Folded } from './fold.ts'

/** Words as a tree of their UTF-16 units, so that all that begin at a place are found in one walk, however many there are. */
interface Node<E> {
  next?: Map<string, Node<E>>
  entry?: E
}

export interface Literals<E> {
  /** Every word of these in a text, longest last at a place, by the original's units. At most as many steps a place as the longest word has letters. */
  find(folded: Folded, found: (start: number, end: number, entry: E) => void): void
}

/** @param entries no two of one `key`, which is the word as it is looked for */
export function compileLiterals<E extends { key: string }>(entries: readonly E[]): Literals<E> {
  const root: Node<E> = {}
  for (const entry of entries) {
    let node = root
    for (let at = 0; at < entry.key.length; at++) {
      node.next ??= new Map()
      const next = node.next.get(entry.key.charAt(at)) ?? {}
      node.next.set(entry.key.charAt(at), next)
      node = next
    }
    node.entry = entry
  }
  return {
    find({ text, originalAt }, found) {
      if (root.next === undefined) return
      for (let first = 0; first < text.length; first++) {
        const start = originalAt[first] ?? -1
        if (start < 0) continue
        let node: Node<E> | undefined = root.next.get(text.charAt(first))
        for (let end = first + 1; node !== undefined; end++) {
          const originalEnd = originalAt[end] ?? -1
          if (node.entry !== undefined && originalEnd >= 0) found(start, originalEnd, node.entry)
          node = node.next?.get(text.charAt(end))
        }
      }
    }
  }
}
