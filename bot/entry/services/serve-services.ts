import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import type { EntryEnvironment } from '../environment.ts'
import { createServiceRequests } from './service-requests.ts'
import type { ServiceRequests, ServicesOptions } from './service-requests.ts'
import { createWebSockets } from './serve-web-sockets.ts'
import type { WebSockets } from './serve-web-sockets.ts'

export interface Services extends Pick<ServiceRequests, 'inFlight' | 'waiting' | 'follow'>, Pick<WebSockets, 'upgrade' | 'dismiss'> {
  /** For the entry: paths of no service go on to what comes after it. */
  part: Hono<EntryEnvironment>
  /** The pattern of the service that a path belongs to: a label for measures. */
  labelOf(path: string): string | undefined
  /** How long the longest request may take to come and be answered. */
  longestMs: number
  close(): Promise<void>
}

/** The services of the manifest: each request goes to a node that registered its path. */
export function createServices(options: ServicesOptions): Services {
  const requests = createServiceRequests(options)
  const webSockets = createWebSockets({ ...options, requests })

  const part = new Hono<EntryEnvironment>()
  part.all('*', async (context, next) => {
    const { incoming, outgoing } = context.env
    const found = requests.find(incoming)
    if (found === undefined) return next()
    const requestId = context.get('requestId')
    context.set('measured', await requests.serve({ ...found, incoming, outgoing, requestId, isUpgrade: false }))
    return RESPONSE_ALREADY_SENT
  })

  return {
    part,
    upgrade: webSockets.upgrade,
    dismiss: (callerId) => webSockets.dismiss(callerId),
    labelOf: (path) => requests.publicServiceOf(path)?.path,
    longestMs: Math.max(0, ...options.services.map(({ limits }) => limits.totalMs)),
    inFlight: () => requests.inFlight(),
    waiting: () => requests.waiting(),
    follow: requests.follow,
    async close() {
      webSockets.close()
      await requests.close()
    }
  }
}
