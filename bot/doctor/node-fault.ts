import type { VoxError } from '../core/errors.ts'
import { ANY_VOICE } from '../wire/node.ts'
import type { Evidence, FindingId } from './finding.ts'

/**
 * What a node did instead of answering: the finding, its words, and what to do.
 * @param apiUrl where it is
 * @param hasKey NODE_KEY is set
 */
export function nodeFault({ code, context }: VoxError, apiUrl: string | null, hasKey: boolean): [id: FindingId, message: string, nextStep: string, more: Evidence] {
  const status = typeof context['status'] === 'number' ? context['status'] : null
  const more: Evidence = { code, ...(status !== null && { status }) }
  switch (code) {
    case 'NODE_FORBIDDEN_HOST': {
      const host = hostnameOf(apiUrl)
      return [
        'node.host-not-allowed', `its address is at ${host}, which NODE_HOSTS does not allow.`,
        `Add ${host} to NODE_HOSTS, if the node is yours; else disable it.`, more
      ]
    }
    case 'NODE_UNRESOLVED':
      // The resolver itself gave no answer: that says nothing of the node.
      if (context['code'] === 'EAI_AGAIN') {
        return [
          'node.name-unseen', 'the name of its address could not be looked up: the DNS of this machine does not answer.',
          'See whether this machine reaches the internet, and its DNS; then run the doctor again.', more
        ]
      }
      return [
        'node.unresolved', 'the name of its address does not exist.', 'Wait for a minute if its tunnel is new; else start the node again.',
        more
      ]
    case 'NODE_UNREACHABLE':
      return [
        'node.unreachable', 'its address does not take the connection.', 'Start the node again: the process at the other end has ended.',
        { ...more, reason: typeof context['code'] === 'string' ? context['code'] : '' }
      ]
    case 'NODE_RESET':
      return [
        'node.unreachable', 'it takes the connection and drops it: the process or its tunnel has ended.',
        'Start the node again, and look at its tunnel.', { ...more, reason: typeof context['code'] === 'string' ? context['code'] : '' }
      ]
    case 'NODE_SILENT':
      return ['node.silent', 'it does not answer in time.', 'Look at the node’s log: it hangs, or is far too slow.', more]
    case 'NODE_UNAUTHORIZED':
      return [
        'node.key-wrong', hasKey ? 'it refuses NODE_KEY.' : 'it wants a key, and NODE_KEY is not set.',
        'Start bot and node with the same NODE_KEY.', more
      ]
    case 'NODE_BUSY':
      return ['node.busy', 'it has as much to do as it can.', 'Nothing to do, unless it stays so: then start another node.', more]
    case 'TEXT_REFUSED':
      return [
        'node.failed', `it refuses what the doctor asks (status ${status ?? 'unknown'}).`,
        'Look at its voice, which has to speak a word and four figures, and at the node’s log for why it does not.', more
      ]
    case 'VOICE_NOT_HERE':
      return [
        'node.failed', `it says that it has no such voice as "${ANY_VOICE}", which stands for any.`,
        'Look at its voices: each node has to take that name for one of its own.', more
      ]
    case 'NODE_STATUS':
      if (context['by'] === 'tunnel' || (status !== null && TUNNEL.includes(status))) {
        return [
          'node.tunnel-gone', `its tunnel is gone (status ${status} of the tunnel’s own).`,
          'Start the node again, or wait for a minute until it opens another tunnel.', more
        ]
      }
      return ['node.failed', `it answers with status ${status ?? 'unknown'}.`, 'Look at the node’s log for what failed.', more]
    case 'NODE_BAD_REPLY':
      return [
        'node.not-node', `what it answers is no speech of a node${typeof context['reason'] === 'string' ? ` (${context['reason']})` : ''}.`,
        'See whether its address leads to the node: a page of the tunnel, or another program, may answer.', more
      ]
    default:
      return ['node.failed', `it failed (${code}).`, 'Look at the node’s log for what failed.', more]
  }
}

/** As NODE_HOSTS has it: without a port. */
const hostnameOf = (apiUrl: string | null) => (apiUrl !== null && URL.canParse(apiUrl) ? new URL(apiUrl).hostname : 'no host')

/** Cloudflare's own: the origin is gone (502), does not answer (521 to 524), or the tunnel itself is (530). */
const TUNNEL: readonly number[] = [502, 521, 522, 523, 524, 530]
