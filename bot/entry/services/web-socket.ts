import { ServerResponse } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Clock } from '../../core/clock.ts'
import type { Outcome } from '../forward/attempt.ts'
import { Watch } from '../forward/watch.ts'

/** An ordinary answer on a connection that was to become a WebSocket: until it is one, all that can go wrong is told as for any other request. */
export function answerUpgrade(incoming: IncomingMessage, socket: Duplex): ServerResponse {
  socket.on('error', () => {})
  const outgoing = new ServerResponse(incoming)
  outgoing.shouldKeepAlive = false
  if (socket instanceof Socket) outgoing.assignSocket(socket)
  outgoing.once('finish', () => socket.end())
  return outgoing
}

/** Joins both ends: from now on bytes go both ways, no faster than either takes them, until either ends or nothing has come for `silenceMs`. */
export async function join(
  { outgoing, near, head }: { outgoing: ServerResponse; near: Duplex; head: Buffer },
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
  if (head.length > 0) far.write(head)
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
