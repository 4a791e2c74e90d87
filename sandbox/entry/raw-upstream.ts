import { createServer } from 'node:net'
import type { Socket } from 'node:net'
import { takeMessage } from './message.ts'
import type { Message } from './message.ts'

/** A request as an upstream sees it, on the socket that it came over. */
export interface Seen extends Message {
  socket: Socket
  /** Connections are numbered from 0. */
  connection: number
}

export interface RawUpstream {
  url: string
  /** All requests so far, but those of the pool's own probes. */
  seen: Seen[]
  /** All bytes of every connection, in latin1. */
  bytes: string[]
  /** Connections that are open now. */
  open(): number
  /** Resolves when a connection has been closed by the other side, or lost. */
  closed(connection: number): Promise<void>
  /** Breaks every connection off. */
  dropAll(): void
  /** Takes nothing more from any connection. */
  stopReading(): void
  /** What is done with a request; the default answers `ok`. */
  answer: (seen: Seen) => void
  /** What is done as soon as a head has come. */
  onHead: ((socket: Socket) => void) | undefined
  close(): Promise<void>
}

/** An answer with a body of known length. */
export function http(status: number, body = '', headers: readonly string[] = []): string {
  return [`HTTP/1.1 ${status} Whatever`, ...headers, `content-length: ${Buffer.byteLength(body)}`, '', body].join('\r\n')
}

/** A server on plain sockets: it shows each byte that reaches it, and answers with any bytes at all. */
export async function startRawUpstream(port = 0): Promise<RawUpstream> {
  const sockets: Socket[] = []
  const closings: Promise<void>[] = []
  const upstream: RawUpstream = {
    url: '',
    seen: [],
    bytes: [],
    open: () => sockets.filter((socket) => !socket.destroyed && !socket.readableEnded).length,
    closed: (connection) => closings[connection] ?? Promise.reject(new Error('no such connection')),
    dropAll() {
      for (const socket of sockets) socket.resetAndDestroy()
    },
    stopReading() {
      for (const socket of sockets) socket.pause()
    },
    onHead: undefined,
    answer: ({ socket }) => void socket.write(http(200, 'ok')),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      })
  }
  const server = createServer((socket) => {
    let connection = -1
    let held: Buffer = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      held = Buffer.concat([held, chunk])
      if (connection === -1 && /^GET \/(?:health|v1\/audio\/voices) /.test(held.toString('latin1'))) {
        socket.end(http(200, '{"voices":[]}', ['connection: close']))
        return
      }
      if (connection === -1) {
        connection = sockets.push(socket) - 1
        upstream.bytes.push('')
        closings.push(new Promise((resolve) => void socket.once('end', resolve).once('close', resolve)))
      }
      upstream.bytes[connection] = `${upstream.bytes[connection] ?? ''}${chunk.toString('latin1')}`
      if (upstream.onHead !== undefined && held.length === chunk.length && held.includes('\r\n\r\n')) upstream.onHead(socket)
      for (let taken = takeMessage(held); taken !== undefined; taken = takeMessage(held)) {
        held = Buffer.from(taken.rest)
        const seen = { ...taken.message, socket, connection }
        upstream.seen.push(seen)
        upstream.answer(seen)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no address')
  upstream.url = `http://127.0.0.1:${address.port}`
  return upstream
}
