import { once } from 'node:events'
import { connect } from 'node:net'

/** A caller's connection: one request after the other, kept open, read no further than needed. */
export interface Caller {
  /** Resolves with the status and how long the answer took; rejects when the connection ends before. */
  ask(): Promise<{ status: number; ms: number }>
  close(): void
}

const BODY = JSON.stringify({ model: 'm', input: 'y'.repeat(200) })
const HEAD_END = '\r\n\r\n'
const LENGTH = /\r\ncontent-length: (\d+)/i

function requestTo(path: string): Buffer {
  const lines = [
    `POST ${path} HTTP/1.1`, 'Host: localhost', 'User-Agent: bench', 'Accept: application/json', 'Accept-Encoding: gzip', 'Content-Type: application/json',
    `Content-Length: ${BODY.length}`, 'X-Request-Id: bench-1', 'Connection: keep-alive', '', BODY
  ]
  return Buffer.from(lines.join('\r\n'))
}

export async function openCaller(port: number, path: string): Promise<Caller> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  const request = requestTo(path)
  let held: Buffer = Buffer.alloc(0)
  let startedMs = 0
  let settle: { resolve: (answer: { status: number; ms: number }) => void; reject: (error: Error) => void } | undefined
  socket.on('error', () => {})
  const hasEnded = new Error('the connection has ended')
  socket.on('close', () => settle?.reject(hasEnded))
  socket.on('data', (chunk: Buffer) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    const headEnd = held.indexOf(HEAD_END)
    if (headEnd === -1) return
    const head = held.toString('latin1', 0, headEnd)
    const wholeBytes = headEnd + HEAD_END.length + Number(LENGTH.exec(head)?.[1])
    if (Number.isNaN(wholeBytes)) throw new Error(`an answer without a length: ${head}`)
    if (held.length < wholeBytes) return
    held = held.subarray(wholeBytes)
    settle?.resolve({ status: Number(head.slice(9, 12)), ms: performance.now() - startedMs })
  })
  return {
    ask: () =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject }
        if (socket.destroyed) reject(hasEnded)
        startedMs = performance.now()
        socket.write(request)
      }),
    close: () => socket.destroy()
  }
}

export const openCallers = (count: number, port: number, path: string): Promise<Caller[]> => Promise.all(Array.from({ length: count }, () => openCaller(port, path)))

/** As many requests as go through in that time: how many. @throws when one is not answered with 200 */
export async function flood(callers: readonly Caller[], forMs: number): Promise<number> {
  const endMs = performance.now() + forMs
  let count = 0
  await Promise.all(
    callers.map(async (caller) => {
      while (performance.now() < endMs) {
        expectGood(await caller.ask())
        count += 1
      }
    })
  )
  return count
}

/** So many requests a second, whatever becomes of them: how long each took, in milliseconds, its waiting for a free caller with it. @throws as `flood` */
export async function steady(callers: readonly Caller[], { perSecond, forMs }: { perSecond: number; forMs: number }): Promise<number[]> {
  const free = [...callers]
  const waiting: (() => void)[] = []
  const times: number[] = []
  const under: Promise<void>[] = []
  const startMs = performance.now()
  for (let index = 0; index < (perSecond * forMs) / 1_000; index++) {
    const dueMs = startMs + (index * 1_000) / perSecond
    while (performance.now() < dueMs) await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now() - 1)))
    under.push(one())
  }
  await Promise.all(under)
  return times

  async function one() {
    const askedMs = performance.now()
    if (free.length === 0) await new Promise<void>((resolve) => waiting.push(resolve))
    // The one that was idle longest: none is so long idle that it is closed.
    const caller = free.shift()
    if (caller === undefined) throw new Error('no caller is free')
    expectGood(await caller.ask())
    times.push(performance.now() - askedMs)
    free.push(caller)
    waiting.shift()?.()
  }
}

function expectGood({ status }: { status: number }) {
  if (status !== 200) throw new Error(`an answer with ${status}`)
}
