import type { Clock } from '../core/clock.ts'
import { createDurations } from './durations.ts'
import type { Durations, Quantiles } from './durations.ts'

/** What was counted of one path, or of one upstream; times are those of the last minutes, counts those since the start. */
export interface Figures {
  name: string
  inFlight: number
  /** By the class of the status: `2xx`; `cut` where the answer had begun well and broke off. An upstream's: `ok`, or the kind of failure. */
  requests: Readonly<Record<string, number>>
  /** By kind. */
  failures: Readonly<Record<string, number>>
  /** Of a path: from the request until the answer's end. Of an upstream: until its answer began, and for a segment of speech until it was there. Summed up when it is read. */
  took: () => Quantiles
  /** Waiting for a place there. */
  queued: () => Quantiles
}

/** How a request ended: its status, and where it went to an upstream, for how long it waited there and what failed. */
export interface Ended {
  status: number
  queueMs?: number | undefined
  failure?: string | undefined
}

/** How one attempt at an upstream ended. `upstreamMs`: until its answer began, or a segment of speech was there; undefined where it was not asked. */
export interface Asked {
  queueMs: number
  upstreamMs?: number
  failure?: string | undefined
}

export interface Measures {
  /** A request begins; what is returned takes how it ended. The path is a label: one of a bounded set. */
  begin(path: string): (ended: Ended) => void
  /** A request goes to an upstream. */
  ask(upstream: string): (asked: Asked) => void
  /** For the status page and `/metrics`. */
  paths(): Figures[]
  upstreams(): Figures[]
}

/** Of more names the one that was not asked for longest makes room; where all are in use, the new ones are counted together as `other`. */
const NAMES_MAX = 500
const IN_USE_MS = 600_000
const OTHER = 'other'

/** Failures that are the caller's own: it has gone, stopped sending or reading, or sent too much. */
const CALLERS_OWN: ReadonlySet<string> = new Set(['gone', 'slow', 'tooLarge'])

interface Book {
  usedMs: number
  inFlight: number
  requests: Map<string, number>
  failures: Map<string, number>
  took: Durations
  queued: Durations
}

export function createMeasures(clock: Pick<Clock, 'monotonic'>): Measures {
  const [paths, upstreams] = [new Map<string, Book>(), new Map<string, Book>()]
  const newBook = (): Book => ({ usedMs: 0, inFlight: 0, requests: new Map(), failures: new Map(), took: createDurations(clock), queued: createDurations(clock) })

  function bookOf(books: Map<string, Book>, given: string): Book {
    const name = books.has(given) || books.size < NAMES_MAX || makeRoom(books) ? given : OTHER
    const book = books.get(name) ?? newBook()
    books.set(name, book)
    book.usedMs = clock.monotonic()
    return book
  }

  function makeRoom(books: Map<string, Book>): boolean {
    const dueMs = clock.monotonic() - IN_USE_MS
    const idle = Array.from(books).filter(([name, { inFlight, usedMs }]) => name !== OTHER && inFlight === 0 && usedMs < dueMs).sort(([, a], [, b]) => a.usedMs - b.usedMs)
    return books.delete(idle[0]?.[0] ?? '')
  }

  return {
    begin(path) {
      const book = bookOf(paths, path)
      const startedMs = clock.monotonic()
      book.inFlight += 1
      return ({ status, queueMs, failure }) => {
        book.inFlight -= 1
        book.took.add(clock.monotonic() - startedMs)
        const isCut = status < 400 && failure !== undefined && !CALLERS_OWN.has(failure)
        count(book.requests, isCut ? 'cut' : `${String(status).slice(0, 1)}xx`)
        if (queueMs !== undefined) book.queued.add(queueMs)
        if (failure !== undefined) count(book.failures, failure)
      }
    },
    ask(upstream) {
      const book = bookOf(upstreams, upstream)
      book.inFlight += 1
      return ({ queueMs, upstreamMs, failure }) => {
        book.inFlight -= 1
        book.queued.add(queueMs)
        if (upstreamMs !== undefined) book.took.add(upstreamMs)
        count(book.requests, failure ?? 'ok')
        if (failure !== undefined) count(book.failures, failure)
      }
    },
    paths: () => figuresOf(paths),
    upstreams: () => figuresOf(upstreams)
  }
}

function count(counts: Map<string, number>, name: string) {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

function figuresOf(books: ReadonlyMap<string, Book>): Figures[] {
  return Array.from(books, ([name, { inFlight, requests, failures, took, queued }]) => ({
    name, inFlight, requests: Object.fromEntries(requests), failures: Object.fromEntries(failures), took: () => took.read(), queued: () => queued.read()
  }))
}
