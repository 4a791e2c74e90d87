import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import type { Metrics } from '../../core/metrics.ts'
import type { Readings } from '../../guilds/readings.ts'
import { figuresOf } from '../../nodes/figures.ts'
import type { PoolNode } from '../../nodes/node.ts'
import type { Pool } from '../../nodes/pool.ts'
import type { NodeTest } from '../../nodes/test-node.ts'
import type { Sessions } from '../../voice/sessions.ts'
import { isLoopbackHost } from '../caller.ts'
import type { EntryEnvironment } from '../environment.ts'
import type { Measures } from '../measure.ts'
import type { Services } from '../services/serve-services.ts'
import { LINK_MS, createAdminLinks } from './admin-links.ts'
import { createAdminSessions } from './admin-sessions.ts'
import { createEventLog } from './event-log.ts'
import { followPool } from './follow-pool.ts'
import type { History } from './history.ts'
import { publicNameOf } from './node-view.ts'
import { serveNodeActs, testResultOf } from './serve-node-acts.ts'
import type { NodeActsDeps } from './serve-node-acts.ts'
import { shareUnderWay } from './share-under-way.ts'
import { serveSession } from './serve-session.ts'
import type { Snapshot } from './snapshot.ts'
import { createStream } from './stream.ts'
import { takeSnapshot } from './take-snapshot.ts'
import own from '../../../package.json' with { type: 'json' }

export interface StatusDeps extends Pick<NodeActsDeps, 'drains' | 'registry' | 'sync'> {
  pool: Pick<Pool, 'nodes'>
  /** Of the registry's last good list; infinite: none has ever come. */
  listAgeMs: () => number
  sessions: Pick<Sessions, 'all'>
  readings: Pick<Readings, 'all'>
  services: Pick<Services, 'inFlight' | 'waiting' | 'labelOf'>
  measures: Measures
  history: History
  metrics: Metrics
  testNode: (node: Pick<PoolNode, 'serverId' | 'apiUrl'>) => Promise<NodeTest>
  isAdmin: (userId: string) => boolean
  /** Where others reach the entry, without a slash at its end. */
  entryUrl: () => string
  clock: Clock
  log: Log
}

export interface Status {
  /** `/api/status`, `/api/events`, `/api/session`, `/api/nodes`. */
  part: Hono<EntryEnvironment>
  /** The same, and written into the event log. */
  testNode: StatusDeps['testNode']
  adminLink: (userId: string) => { url: string; minutes: number; isLocal: boolean }
  /** Ends all streams. */
  close(): void
}

/** What is behind the status page: for everybody what may be known of the pool, for admins what the panel of `/nodes` can do. */
export function createStatus(deps: StatusDeps): Status {
  const { pool, listAgeMs, sessions, readings, services, measures, history, metrics, isAdmin, entryUrl, clock, log } = deps
  const startedAtMs = clock.now()
  const startedMs = clock.monotonic()
  const events = createEventLog(clock)
  events.add({ kind: 'started' })
  const follower = followPool({ nodes: () => pool.nodes(), listAgeMs, events, clock })
  const links = createAdminLinks(clock)
  const admins = createAdminSessions(clock, isAdmin)
  const read = shareUnderWay(snapshot, () => 'snapshot')
  const stream = createStream({ read, clock, log })

  async function snapshot(): Promise<Snapshot> {
    const figures = await figuresOf(metrics)
    follower.look()
    return takeSnapshot({
      version: own.version,
      nowMs: clock.now(),
      startedAtMs,
      uptimeMs: clock.monotonic() - startedMs,
      nodes: pool.nodes(),
      listAgeMs: listAgeMs(),
      sinceOf: (node) => follower.sinceOf(node),
      figuresOf: figures,
      readings: readings.all(),
      sessions: new Map(sessions.all().map((session) => [session.guildId, session.channelId()])),
      paths: measures.paths(),
      isShown: (path) => path.startsWith('/v1/') || services.labelOf(path) !== undefined,
      services: { inFlight: services.inFlight(), waiting: services.waiting() },
      points: history.points(),
      events: events.list()
    })
  }

  async function testNode(node: Pick<PoolNode, 'serverId' | 'apiUrl'>): Promise<NodeTest> {
    const test = await deps.testNode(node)
    const { reason } = testResultOf(test)
    const named = pool.nodes().find(({ serverId }) => serverId === node.serverId)
    if (named !== undefined) events.add({ kind: 'node_tested', node: publicNameOf(named), ...(reason !== null && { code: reason }) })
    return test
  }

  const part = new Hono<EntryEnvironment>()
  part.get('/api/status', async (context) => context.json(await read(), 200, { 'cache-control': 'no-store' }))
  part.get('/api/events', async (context) => {
    const { incoming, outgoing } = context.env
    await stream.open(outgoing, context.get('requestId'), incoming.method === 'HEAD')
    return RESPONSE_ALREADY_SENT
  })
  part.route('/', serveSession({ links, sessions: admins, isAdmin, entryUrl }))
  part.route('/', serveNodeActs({ ...deps, nodes: () => pool.nodes(), testNode, sessions: admins }))

  return {
    part,
    testNode,
    adminLink(userId) {
      const url = entryUrl()
      return { url: `${url}/#admin=${links.make(userId)}`, minutes: LINK_MS / 60_000, isLocal: isLoopbackHost(new URL(url).host) }
    },
    close() {
      stream.close()
      follower.stop()
      history.stop()
    }
  }
}
