import type { Folded } from './fold.ts'
import type { Budget } from './work.ts'

/**
 * Words as a tree of what they have in common, so that all that begin at a place are found in one walk, however many there are. A node has as many
 * letters as all words through it share: there are at most two nodes a word, however long the words are.
 */
interface Node<E> {
  letters: string
  /** By their first UTF-16 unit. */
  next?: Map<string, Node<E>>
  entry?: E
}

export interface Literals<E> {
  /** Every word of these in a text, longest last at a place, by the original's units; fewer when `work` is used up by words that begin alike. */
  find(folded: Folded, work: Budget, found: (start: number, end: number, entry: E) => void): void
}

/** @param entries no two of one `key`, which is the word as it is looked for */
export function compileLiterals<E extends { key: string }>(entries: readonly E[]): Literals<E> {
  const root: Node<E> = { letters: '' }
  for (const entry of entries) insert(root, entry)
  return {
    find({ text, originalAt }, work, found) {
      if (root.next === undefined) return
      for (let first = 0; first < text.length; first++) {
        const start = originalAt[first] ?? -1
        if (start < 0) continue
        let end = first
        for (let node = root.next.get(text.charAt(end)); node !== undefined; node = node.next?.get(text.charAt(end))) {
          if (--work.left < 0) return
          if (!text.startsWith(node.letters, end)) break
          end += node.letters.length
          const originalEnd = originalAt[end] ?? -1
          if (node.entry !== undefined && originalEnd >= 0) found(start, originalEnd, node.entry)
        }
      }
    }
  }
}

function insert<E extends { key: string }>(root: Node<E>, entry: E): void {
  const { key } = entry
  let node = root
  for (let at = 0; at < key.length; ) {
    node.next ??= new Map()
    const first = key.charAt(at)
    const next = node.next.get(first) ?? { letters: key.slice(at) }
    const shared = sharedLength(next.letters, key, at)
    const through = shared === next.letters.length ? next : splitAt(next, shared)
    node.next.set(first, through)
    node = through
    at += shared
  }
  node.entry = entry
}

/** A node of its first letters, with what it was behind it. */
function splitAt<E>(node: Node<E>, length: number): Node<E> {
  const rest = { ...node, letters: node.letters.slice(length) }
  return { letters: node.letters.slice(0, length), next: new Map([[rest.letters.charAt(0), rest]]) }
}

function sharedLength(letters: string, key: string, at: number): number {
  let length = 0
  while (length < letters.length && letters.charAt(length) === key.charAt(at + length)) length++
  return length
}
