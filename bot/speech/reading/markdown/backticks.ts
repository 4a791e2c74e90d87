import type { Leaf } from './token.ts'

/** Finds what is written between backticks. Each end is looked for once, however many backticks have none. */
export function createBackticks(content: string) {
  let noFenceFrom = Infinity
  let runs: Map<number, number[]> | undefined

  function fenceAt(at: number): { token: Leaf; end: number } | undefined {
    if (at >= noFenceFrom) return undefined
    const close = content.indexOf('```', at + 3)
    if (close < 0) {
      noFenceFrom = at
      return undefined
    }
    const inside = content.slice(at + 3, close)
    // A first line of one word is the language's name.
    const text = inside.replace(/^[\w+#.-]+\n/, '').trim()
    return text === '' ? undefined : { token: { kind: 'code', isBlock: true, text }, end: close + 3 }
  }

  /** Inline code ends at the next run of as many backticks. */
  function inlineAt(at: number, length: number): { token: Leaf; end: number } | undefined {
    runs ??= runsOf(content)
    const alike = runs.get(length)
    while ((alike?.at(-1) ?? Infinity) <= at) alike?.pop()
    const close = alike?.at(-1)
    const text = close === undefined ? '' : content.slice(at + length, close).trim()
    return close === undefined || text === '' ? undefined : { token: { kind: 'code', isBlock: false, text }, end: close + length }
  }

  return {
    /** The code that begins at `at`; without one, the length of the run of backticks there. */
    at(at: number): { token: Leaf; end: number } | number {
      let length = 1
      while (content.charAt(at + length) === '`') length += 1
      return (length >= 3 ? fenceAt(at) : inlineAt(at, length)) ?? length
    }
  }
}

/** Where runs of backticks begin, by their length, the first one last. */
function runsOf(content: string): Map<number, number[]> {
  const runs = new Map<number, number[]>()
  for (const { 0: run, index } of content.matchAll(/`+/g)) {
    const alike = runs.get(run.length)
    if (alike === undefined) runs.set(run.length, [index])
    else alike.push(index)
  }
  for (const alike of runs.values()) alike.reverse()
  return runs
}
