import type { ServerResponse } from 'node:http'
import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import { answerError } from '../errors.ts'
import { SECURITY_HEADERS } from '../security-headers.ts'
import type { Snapshot } from './snapshot.ts'

/** Looked this often whether there is something new, once for all readers. */
const LOOK_MS = 1_000
/** Told again after this, so that ages stay right. */
const AGAIN_MS = 15_000
const BEAT_MS = 10_000
const READERS_MAX = 500
/** What may wait for a slow reader; it comes back by itself and begins with a whole snapshot. */
const BEHIND_MAX_BYTES = 1024 * 1024

export interface Stream {
  /** Answers with server-sent events: `snapshot` at once and whenever it has changed, `beat` in between. 503 where too many read already. */
  open(outgoing: ServerResponse, requestId: string, isHead: boolean): Promise<void>
  /** Who reads now. */
  readers(): number
  /** Ends all, and whatever comes later too. */
  close(): void
}

/** Snapshots to all who read. The same bytes to each; made anew only while somebody reads. */
export function createStream({ read, clock, log }: { read: () => Promise<Snapshot>; clock: Clock; log: Log }): Stream {
  const readers = new Set<ServerResponse>()
  let last: { event: Buffer; print: string; madeMs: number } | undefined
  /** What all have been told, by its print. */
  let told: string | undefined
  let making: Promise<Buffer> | undefined
  let toldMs = 0
  let cancels: (() => void)[] = []
  let isClosed = false

  /** The newest, which may be a second old. */
  function newest(): Promise<Buffer> {
    if (last !== undefined && clock.monotonic() - last.madeMs < LOOK_MS) return Promise.resolve(last.event)
    making ??= make().finally(() => (making = undefined))
    return making
  }

  async function make(): Promise<Buffer> {
    const snapshot = await read()
    last = { event: eventOf('snapshot', snapshot), print: printOf(snapshot), madeMs: clock.monotonic() }
    return last.event
  }

  async function tell(): Promise<void> {
    const event = await newest()
    if (last?.print === told && clock.monotonic() - toldMs < AGAIN_MS) return
    told = last?.print
    toldMs = clock.monotonic()
    for (const reader of readers) send(reader, event)
  }

  function send(reader: ServerResponse, event: Buffer) {
    if (reader.writableEnded) return
    if (reader.writableLength > BEHIND_MAX_BYTES) reader.destroy()
    else reader.write(event)
  }

  function repeat(everyMs: number, task: () => void) {
    let cancel = () => {}
    const next = () => {
      cancel = clock.after(everyMs, () => {
        next()
        task()
      })
    }
    next()
    cancels.push(() => cancel())
  }

  function start() {
    toldMs = clock.monotonic()
    repeat(LOOK_MS, () => void tell().catch((error: unknown) => log.error({ err: error }, 'the status could not be told')))
    repeat(BEAT_MS, () => {
      const beat = eventOf('beat', clock.now())
      for (const reader of readers) send(reader, beat)
    })
  }

  function leave(reader: ServerResponse) {
    if (!readers.delete(reader) || readers.size > 0) return
    for (const cancel of cancels) cancel()
    cancels = []
    told = undefined
  }

  return {
    async open(outgoing, requestId, isHead) {
      // One that waits behind another on the same connection would hold its place and read nothing.
      if (isClosed || readers.size >= READERS_MAX || outgoing.socket === null) {
        answerError(outgoing, 'busy', 'Too many read this already. Try again in a moment.', requestId, { 'retry-after': '10' })
        return
      }
      outgoing.writeHead(200, { ...SECURITY_HEADERS, 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no', 'x-request-id': requestId })
      if (isHead) {
        outgoing.end()
        return
      }
      readers.add(outgoing)
      outgoing.once('close', () => leave(outgoing))
      outgoing.on('error', () => leave(outgoing))
      if (readers.size === 1) start()
      outgoing.write('retry: 2000\n\n')
      try {
        send(outgoing, await newest())
        told ??= last?.print
      } catch (error) {
        log.error({ err: error }, 'the status could not be told')
        outgoing.destroy()
      }
    },
    readers: () => readers.size,
    close() {
      isClosed = true
      for (const reader of readers) reader.end()
    }
  }
}

function eventOf(name: string, data: unknown): Buffer {
  return Buffer.from(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
}

/** All of a snapshot that does not change by itself. */
function printOf({ now: _, registry, nodes, ...rest }: Snapshot): string {
  return JSON.stringify([rest, registry.isStale, registry.ageMs === null, nodes.map((node) => ({ ...node, ageMs: null }))])
}
