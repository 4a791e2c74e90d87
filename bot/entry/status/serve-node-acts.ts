import { Hono } from 'hono'
import type { Context } from 'hono'
import { asVoxError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import type { Drains } from '../../nodes/drain.ts'
import type { PoolNode } from '../../nodes/node.ts'
import { nodeOf } from '../../nodes/tag.ts'
import type { NodeTest } from '../../nodes/test-node.ts'
import { switchNode } from '../../nodes/write-registry.ts'
import type { SwitchDeps } from '../../nodes/write-registry.ts'
import type { EntryEnvironment } from '../environment.ts'
import { refuse } from '../errors.ts'
import type { AdminSessions } from './admin-sessions.ts'
import { fromOwnPage, withSmallBody } from './own-page.ts'
import { shareUnderWay } from './share-under-way.ts'
import { sessionOf } from './serve-session.ts'

export interface NodeActsDeps extends SwitchDeps {
  nodes: () => readonly PoolNode[]
  drains: Drains
  testNode: (node: PoolNode) => Promise<NodeTest>
  sessions: Pick<AdminSessions, 'find'>
  entryUrl: () => string
  log: Log
}

/** A test as the page is told of it: no address, no text. */
export interface TestResult {
  spoke: boolean
  tookMs: number | null
  /** The fault's code, or `MUTE`: whole audio in which nothing can be heard. Null: it spoke. */
  reason: string | null
  /** Whether the node's own log has the request. Null: it keeps none, or could not be asked. */
  inLog: boolean | null
}

/** `POST /api/nodes/{tag}/enable`, `disable`, `drain`, `test`: what the panel of `/nodes` does, for who came by its link. */
export function serveNodeActs({ nodes, drains, registry, sync, testNode, sessions, entryUrl, log }: NodeActsDeps): Hono<EntryEnvironment> {
  const app = new Hono<EntryEnvironment>()
  const testOnce = shareUnderWay(testNode, ({ serverId }: PoolNode) => serverId)

  async function act(context: Context<EntryEnvironment>, node: PoolNode, does: string): Promise<Response> {
    const { serverId } = node
    switch (does) {
      case 'enable':
      case 'disable': {
        if (does === 'disable' && !node.enabled) return refuse(context, 'already_disabled', 'This node is disabled already.')
        const written = await switchNode({ drains, registry, sync }, serverId, does === 'enable')
        if (written.ok) return context.json({ ok: true, result: {} })
        return written.reason === 'unknown' ? unknown(context) : refuse(context, 'old_registry', 'The registry’s script is older than this bot and does not know that yet: deploy it again.')
      }
      case 'drain': {
        const started = drains.start(serverId)
        if (started.ok) return context.json({ ok: true, result: { moved: started.drain.moved } })
        if (started.reason === 'unknown') return unknown(context)
        if (started.reason === 'disabled') return refuse(context, 'already_disabled', 'This node is disabled already.')
        return refuse(context, 'last_node', 'This is the only node that can speak now: without it nobody would be heard.')
      }
      case 'test':
        return context.json({ ok: true, result: testResultOf(await testOnce(node)) })
      default:
        return refuse(context, 'not_found', 'There is no such path.')
    }
  }

  app.post('/api/nodes/:tag/:does', fromOwnPage(entryUrl), withSmallBody, async (context) => {
    const session = sessionOf(context, sessions)
    if (session === undefined) return refuse(context, 'unauthorized', 'This is for admins of the bot: the panel of /nodes makes a link.')
    const node = nodeOf(context.req.param('tag'), nodes())
    if (node === undefined) return unknown(context)
    const does = context.req.param('does')
    context.header('cache-control', 'no-store')
    log.info({ requestId: context.get('requestId'), userId: session.userId, node: node.serverId, does }, 'an admin acts on the status page')
    try {
      return await act(context, node, does)
    } catch (thrown) {
      const { kind, code, context: why } = asVoxError(thrown)
      if (kind !== 'registry') throw thrown
      log.warn({ requestId: context.get('requestId'), node: node.serverId, code, context: why }, 'the registry did not say that it was done')
      if (code === 'REGISTRY_REFUSED') return refuse(context, 'registry', 'The registry did not take it. Try again in a moment.')
      // It writes before it answers: who did not hear from it can't know.
      return refuse(context, 'registry_silent', 'The registry did not answer. Whether it was done shows in the state.')
    }
  })
  return app
}

function unknown(context: Context<EntryEnvironment>): Response {
  return refuse(context, 'unknown_node', 'That node is not in the pool any more.')
}

export function testResultOf({ answered, logged }: NodeTest): TestResult {
  const inLog = logged.found === 'yes' ? true : logged.found === 'missing' ? false : null
  if (!answered.ok) return { spoke: false, tookMs: null, reason: answered.error.code, inLog }
  return { spoke: !answered.isMute, tookMs: Math.round(answered.tookMs), reason: answered.isMute ? 'MUTE' : null, inLog }
}
