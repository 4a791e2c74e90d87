import { readCall } from './call.ts'
import { answer } from './registry.ts'
import type { Changes, Order, State } from './registry.ts'

/** For tests: the registry over a state that is only passed on. */
export const START_MS = 1_700_000_000_000
export const nobody: State = { servers: [], devices: [] }
export const open = { key: '', allowLoopback: false }

/** What a store does with the changes. */
export function keep(state: State, { put, remove, devices }: Changes): State {
  const servers = new Map(state.servers.map((server) => [server.serverId, server]))
  for (const server of put) servers.set(server.serverId, server)
  for (const serverId of remove) servers.delete(serverId)
  return { servers: [...servers.values()], devices: devices ?? state.devices }
}

export const orderOf = (action: string, body: unknown): Order => {
  const reading = readCall({ method: 'POST', query: { action }, body: JSON.stringify(body) }, open)
  if (!reading.ok) throw new Error(reading.message)
  return reading.order
}

/** Orders in turn, each at its time; the state after them and their answers. */
export function play(steps: readonly { order: Order; atMs: number }[], state = nobody) {
  const answers = []
  for (const { order, atMs } of steps) {
    const outcome = answer(state, order, atMs)
    state = keep(state, outcome.changes)
    answers.push(outcome.answer)
  }
  return { state, answers }
}

export const listed = (state: State, atMs: number) => {
  const reply = answer(state, { action: 'list' }, atMs).answer
  return new Map((reply.ok ? (reply.servers as { serverId: string; enabled: boolean; activeCount: number; apiUrl: string | null }[]) : []).map((row) => [row.serverId, row]))
}
