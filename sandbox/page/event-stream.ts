import type { Clock } from '../../bot/core/clock.ts'

/** Told this often that the stream lives; the page reconnects when it has heard nothing for three of them. */
export const HEARTBEAT_MS = 10_000

/** What may wait for a slow reader before its stream is closed; it comes back by itself and starts with a fresh snapshot. */
const BUFFER_MAX_BYTES = 8 * 1024 * 1024

export type Send = (event: string, data: unknown) => void

/**
 * A stream of server-sent events. `open` is called at once with the function that sends, and returns what ends its
 * subscriptions; that runs exactly once, when the reader leaves, falls behind by 8 MiB, or the stream fails.
 */
export function eventStream(clock: Clock, open: (send: Send) => () => void): Response {
  const encoder = new TextEncoder()
  const ends: (() => void)[] = []
  let alive = true
  const isAlive = () => alive
  const end = () => {
    alive = false
    for (const release of ends.splice(0)) release()
  }

  const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const send: Send = (event, data) => {
      if (!alive) return
      controller.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
      if ((controller.desiredSize ?? 0) > 0) return
      end()
      controller.close()
    }
    let cancelBeat = () => {}
    const beat = () => {
      cancelBeat = clock.after(HEARTBEAT_MS, beat)
      send('beat', clock.now())
    }
    controller.enqueue(encoder.encode('retry: 1000\n\n'))
    ends.push(open(send), () => cancelBeat())
    beat()
    // What was sent while opening may already have been too much.
    if (!isAlive()) end()
  }

  const body = new ReadableStream({ start, cancel: end }, { highWaterMark: BUFFER_MAX_BYTES, size: (chunk: Uint8Array) => chunk.byteLength })
  return new Response(body, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } })
}
