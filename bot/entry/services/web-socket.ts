import { ServerResponse } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Clock } from '../../core/clock.ts'
import type { Outcome } from '../forward/attempt.ts'
import { Watch } from '../forward/watch.ts'
import { letRead } from '../listen.ts'

/** An ordinary answer on a connection that was to become a WebSocket: until it is one, all that can go wrong is told as for any other request. */
export function answerUpgrade(incoming: IncomingMessage, socket: Duplex, clock: Clock): ServerResponse {
  socket.on('error', () => {})
  const outgoing = new ServerResponse(incoming)
  outgoing.shouldKeepAlive = false
  if (socket instanceof Socket) outgoing.assignSocket(socket)
  // Node's server tells its answers of that, and no more where it has handed the connection over.
  socket.on('drain', () => outgoing.emit('drain'))
  outgoing.once('finish', () => {
    socket.end()
    letRead(socket, clock)
  })
  return outgoing
}

/** What a caller sends before its WebSocket is open; no honest one does. */
const EARLY_MAX_BYTES = 64 * 1024

/**
 * Reads from a caller while its WebSocket is not open yet: nobody else does then, and whoever does not read never hears that the other end has gone.
 * @returns gives what has come, from `head` on, and reads no more
 */
export function readEarly(near: Duplex, head: Buffer): () => Buffer {
  const chunks = [head]
  let sizeBytes = head.length
  const onData = (chunk: Buffer) => {
    sizeBytes += chunk.length
    if (sizeBytes > EARLY_MAX_BYTES) near.destroy()
    else chunks.push(chunk)
  }
  const onEnd = () => near.destroy()
  near.on('data', onData).once('end', onEnd)
  return () => {
    near.off('data', onData).off('end', onEnd)
    return Buffer.concat(chunks)
  }
}

/** Joins both ends: from now on bytes go both ways, no faster than either takes them, until either ends or nothing has come for `silenceMs`. */
export async function join(
  { outgoing, near, takeEarly }: { outgoing: ServerResponse; near: Duplex; takeEarly: () => Buffer },
  { headers, far }: Extract<Outcome, { result: 'upgraded' }>,
  silenceMs: number,
  clock: Clock
): Promise<void> {
  if (near instanceof Socket) outgoing.detachSocket(near)
  far.on('error', () => {})
  if (near.destroyed) {
    far.destroy()
    return
  }
  near.write(`HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n${lines(headers)}\r\n`, 'latin1')
  const early = takeEarly()
  if (early.length > 0) far.write(early)
  const watch = new Watch(clock, Infinity)
  watch.within(silenceMs, { onLate: () => near.destroy() })
  for (const end of [near, far]) end.on('data', () => watch.heard())
  near.pipe(far)
  far.pipe(near)
  await new Promise<void>((resolve) => {
    near.once('close', () => far.destroy())
    far.once('close', () => near.end(() => near.destroy()))
    near.once('close', resolve)
  })
  watch.release()
}

function lines(headers: readonly string[]): string {
  let text = ''
  for (let at = 0; at + 1 < headers.length; at += 2) text += `${headers[at]}: ${headers[at + 1]}\r\n`
  return text
}
