import { once } from 'node:events'
import { connect } from 'node:net'
import { takeMessage } from './message.ts'
import type { Message, Reading } from './message.ts'

export interface Answer extends Message {
  status: number
  header(name: string): string | undefined
  all(name: string): string[]
}

export interface RawCaller {
  send(bytes: string | Buffer): void
  /** The next answer, informational ones too. Rejects when the connection ends before it is whole. */
  answer(reading?: Reading): Promise<Answer>
  /** All that has come and was not yet taken as an answer, in latin1. */
  held(): string
  /** Resolves when the entry has ended the connection, with what was left of it. */
  ended(): Promise<string>
  /** What the connection broke with. */
  error(): string | undefined
  pause(): void
  resume(): void
  /** The address of this end. */
  port: number
  leave(): void
}

/** A caller on a plain socket: it sends any bytes, and shows each that comes back. */
export async function openRawCaller(port: number, host = '127.0.0.1'): Promise<RawCaller> {
  const socket = connect({ port, host })
  await once(socket, 'connect')
  let held: Buffer = Buffer.alloc(0)
  let hasEnded = false
  const onChange = new Set<() => void>()
  const changed = () => onChange.forEach((each) => each())
  let error: string | undefined
  socket.on('error', (broken: Error & { code?: string }) => (error = broken.code))
  socket.on('data', (chunk: Buffer) => {
    held = Buffer.concat([held, chunk])
    changed()
  })
  for (const event of ['end', 'close']) {
    socket.once(event, () => {
      hasEnded = true
      changed()
    })
  }
  const until = async <T>(look: () => T | undefined): Promise<T> => {
    for (;;) {
      const found = look()
      if (found !== undefined) return found
      await new Promise<void>((resolve) => {
        const once = () => {
          onChange.delete(once)
          resolve()
        }
        onChange.add(once)
      })
    }
  }
  return {
    send: (bytes) => void socket.write(bytes, 'latin1'),
    async answer(reading = {}) {
      const taken = await until(() => takeMessage(held, { ...reading, hasEnded }) ?? (hasEnded ? null : undefined))
      if (taken === null) throw new Error(`ended before an answer was whole: ${held.toString('latin1')}`)
      held = Buffer.from(taken.rest)
      const { message } = taken
      const all = (name: string) => message.headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value)
      return { ...message, status: Number(message.startLine.split(' ')[1]), all, header: (name) => all(name)[0] }
    },
    held: () => held.toString('latin1'),
    ended: () => until(() => (hasEnded ? held.toString('latin1') : undefined)),
    error: () => error,
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    port: socket.localPort ?? 0,
    leave: () => socket.destroy()
  }
}

/** Lines with CRLF between them, and an empty one at the end. */
export function head(...lines: string[]): string {
  return [...lines, '', ''].join('\r\n')
}
