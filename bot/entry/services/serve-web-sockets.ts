import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import { answerError } from '../errors.ts'
import type { Measures } from '../measure.ts'
import { PAGE, ownLabelOf } from '../own-paths.ts'
import { requestIdOf } from '../request-id.ts'
import { statusOf } from '../status-of.ts'
import { targetOf } from '../target.ts'
import type { Call, ServiceRequests } from './service-requests.ts'
import { answerUpgrade, join, readEarly } from './web-socket.ts'

export interface WebSockets {
  /** For what the server calls an upgrade. */
  upgrade: (incoming: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** A caller may ask no more: its WebSockets end. */
  dismiss(callerId: string): void
  close(): void
}

/** The WebSockets of services, from the first byte of each to its last. */
export function createWebSockets(deps: { requests: Pick<ServiceRequests, 'find' | 'serve'>; measures: Measures; clock: Clock; log: Log }): WebSockets {
  const { requests, measures, clock, log } = deps
  /** Those that are open or may become it, the callers' ends, with who asks: '' until that is known. */
  const sockets = new Map<Duplex, string>()

  async function open(call: Call, near: Duplex, head: Buffer): Promise<void> {
    const takeEarly = readEarly(near, head)
    const { limits, path } = call.service
    const ended = measures.begin(path)
    const { outcome, queueMs, failure } = await requests.serve(call, (callerId) => sockets.set(near, callerId))
    if (outcome?.result === 'upgraded') await join({ outgoing: call.outgoing, near, takeEarly }, outcome, limits.webSocketSilenceMs, clock)
    ended({ status: outcome?.status ?? statusOf(call.outgoing), queueMs, failure })
  }

  return {
    upgrade(incoming, socket, head) {
      sockets.set(socket, '')
      socket.once('close', () => sockets.delete(socket))
      const requestId = requestIdOf(incoming.headers['x-request-id'])
      const outgoing = answerUpgrade(incoming, socket, clock)
      const found = requests.find(incoming)
      if (found === undefined) {
        measures.begin(ownLabelOf(targetOf(incoming).rawPath) ?? PAGE)({ status: 404 })
        answerError(outgoing, 'not_found', 'There is no such WebSocket.', requestId)
        return
      }
      open({ ...found, incoming, outgoing, requestId, isUpgrade: true }, socket, head).catch((error: unknown) => {
        log.error({ err: error, requestId, path: found.service.path }, 'entry: a WebSocket failed')
        socket.destroy()
      })
    },
    dismiss(callerId) {
      for (const [socket, id] of sockets) if (id === callerId) socket.destroy()
    },
    close() {
      for (const socket of sockets.keys()) socket.destroy()
    }
  }
}
