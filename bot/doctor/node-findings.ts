import type { VoxError } from '../core/errors.ts'
import { STALE_MS } from '../nodes/node.ts'
import type { NodeTest } from '../nodes/test-node.ts'
import { finding } from './finding.ts'
import type { Evidence, Finding, FindingId } from './finding.ts'
import { nodeFault } from './node-fault.ts'
import type { NodeLook, NodeSeen } from './see-nodes.ts'

/**
 * The links to the nodes, and whether any can speak. A node's warning is what breaks the chain when no other node speaks.
 * @param hasKey NODE_KEY is set
 */
export function nodeFindings(nodes: readonly NodeSeen[], hasKey: boolean): Finding[] {
  if (nodes.length === 0) return [finding('nodes.none', 'nodes', 'the registry works, and no node is in it.', 'Start a node: README, "A node".')]
  const speaking = nodes.filter(({ look }) => look.at === 'spoke' && look.test.answered.ok && !look.test.answered.isMute)
  const each = nodes.flatMap((node) => findingsOf(node, hasKey))
  const all = `${speaking.length} of ${nodes.length} ${nodes.length === 1 ? 'node' : 'nodes'} spoke.`
  const evidence = { nodes: nodes.length, spoke: speaking.length }
  if (speaking.length > 0) return [...each, finding('nodes.usable', 'nodes', all, undefined, { evidence })]
  const why = unseenReason(nodes, each)
  if (why !== undefined) return [...each, finding('nodes.unseen', 'nodes', `${all} ${why}`, 'Run the doctor again in a moment.', { evidence })]
  const escalated = each.map((one): Finding => (one.level === 'warning' ? { ...one, level: 'broken' } : one))
  const isByHand = nodes.every(({ look }) => look.at === 'disabled')
  const isQuiet = nodes.every(({ look }) => look.at === 'disabled' || look.at === 'left')
  return [
    ...escalated,
    finding(
      'nodes.none-usable', 'nodes', isByHand ? 'all nodes are disabled by hand.' : all,
      isByHand ? 'Enable one: /nodes enable, or TRUE in the sheet where there is one.' : isQuiet ? 'Start one of the nodes above again, or enable one.' : 'Mend one of the nodes above, or start another.',
      { evidence }
    )
  ]
}

/** Why it is not known whether any can speak, where it is not. @param each what was found of them */
function unseenReason(nodes: readonly NodeSeen[], each: readonly Finding[]): string | undefined {
  if (nodes.some(({ look }) => look.at === 'noTime')) return 'The time was over before all were asked.'
  const asked = nodes.filter(({ look }) => look.at === 'health' || look.at === 'notReady' || look.at === 'spoke').length
  const count = (id: FindingId) => each.filter((one) => one.id === id).length
  const busy = count('node.busy')
  if (busy > 0) return `${busy === asked ? 'All that were' : 'One that was'} asked had too much to do.`
  const nameless = count('node.name-unseen')
  return nameless > 0 ? `This machine could not look up where ${nameless === asked ? 'they are' : 'one of them is'}.` : undefined
}

function findingsOf({ row, ageMs, look }: NodeSeen, hasKey: boolean): Finding[] {
  const { serverId, apiUrl } = row
  const about: Evidence = { host: apiUrl === null ? null : hostOf(apiUrl), ageMs: Math.round(ageMs) }
  const faultOf: FaultOf = (error) => nodeFault(error, apiUrl, hasKey)
  const tell: Tell = (id, message, nextStep, more) => finding(id, `node ${serverId}`, message, nextStep, { evidence: { ...about, ...more } })
  if (look.at === 'disabled') {
    const next = 'Nothing to do, unless it shall speak again: /nodes enable, or TRUE in the sheet where there is one.'
    return [tell('node.disabled', 'is disabled by hand, and was not asked.', next)]
  }
  if (look.at === 'left') {
    return [tell('node.left', 'has said goodbye; its row keeps what was changed by hand.', 'Nothing to do: it comes back when it is started again.')]
  }
  if (ageMs <= STALE_MS) return wayFindings(look, tell, faultOf)
  const message = `is registered, but did not beat for ${duration(ageMs)}; members get other nodes.`
  return [tell('node.stale', message, 'See whether its runner still runs, and start it again if not.'), ...wayFindings(look, tell, faultOf)]
}

type Tell = (id: FindingId, message: string, nextStep?: string, more?: Evidence) => Finding
type FaultOf = (error: VoxError) => ReturnType<typeof nodeFault>

/** How far the way to it went. */
function wayFindings(look: Exclude<NodeLook, { at: 'disabled' | 'left' }>, tell: Tell, faultOf: FaultOf): Finding[] {
  const unseen = tell('node.unseen', 'was not asked to speak.', MEND)
  switch (look.at) {
    case 'noAddress':
      return [tell('node.no-address', 'is alive, and has no address: its tunnel is down.', 'Wait for a minute, in which it opens another; else look at its log.'), unseen]
    case 'noTime':
      return [tell('node.unseen', 'was not looked at to the end: the time for all nodes was over.', 'Run the doctor again in a moment, or /nodes test for it alone.')]
    case 'notReady':
      return [tell('node.not-ready', 'answers, and says that it can’t speak now.', 'Wait until its voice has loaded; if it stays so, look at the node’s log.'), unseen]
    case 'health':
      return [tell(...faultOf(look.error)), unseen]
    case 'spoke':
      return spokenFindings(look.test, tell, faultOf)
  }
}

function spokenFindings(test: NodeTest, tell: Tell, faultOf: FaultOf): Finding[] {
  const { answered, logged, requestId } = test
  if (!answered.ok) {
    const [id, message, nextStep, more] = faultOf(answered.error)
    const fault = tell(id, message, nextStep, { ...more, requestId })
    // What was not spoken is in no log, but for that of a node that got so far as to write it down.
    return logged.found === 'yes' ? [fault] : [fault, tell('node.log-unseen', 'its log was not looked at to the end, since nothing was spoken.', MEND, { requestId })]
  }
  const spoke = { requestId, tookMs: Math.round(answered.tookMs), audioMs: Math.round(answered.audio.durationMs) }
  if (answered.isMute) {
    const message = 'is healthy and answers, but nothing can be heard: the whole recording is silent.'
    return [tell('node.mute', message, 'Look at its voice, or its driver; start it again.', spoke), ...logFindings(test, tell)]
  }
  const inLog = logged.found === 'yes' ? `, and has request ${requestId} in its own log` : ''
  return [tell('node.ok', `spoke within ${spoke.tookMs} ms${inLog}.`, undefined, spoke), ...logFindings(test, tell)]
}

const MEND = 'Mend what is said above first, and run the doctor again.'

/** Whether the marker's request is in the node's own log. */
function logFindings({ logged, requestId }: NodeTest, tell: Tell): Finding[] {
  switch (logged.found) {
    case 'yes':
      return []
    case 'missing':
      return [tell(
        'node.log-missing', `its own log does not know request ${requestId}.`,
        'See whether another program answers at its address, or the node has just started again.', { requestId }
      )]
    case 'noLog':
      return [tell('node.log-none', 'it keeps no log that can be asked, as other speech servers.')]
    case 'silent':
      return [tell(
        'node.log-unseen', `its log could not be looked at (${logged.error.code}).`, 'Run the doctor again in a moment.',
        { requestId, code: logged.error.code }
      )]
  }
}

const hostOf = (apiUrl: string): string | null => (URL.canParse(apiUrl) ? new URL(apiUrl).host : null)

function duration(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 120) return `${minutes} min`
  return minutes < 2_880 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1_440)} days`
}
