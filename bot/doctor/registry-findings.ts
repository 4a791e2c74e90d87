import { clockFinding } from './clock-finding.ts'
import { finding } from './finding.ts'
import type { Finding } from './finding.ts'
import { NEXT_STEPS, carrierOf } from './registry-carrier.ts'
import type { Carrier } from './registry-carrier.ts'
import { registryFault } from './registry-fault.ts'
import type { ListSeen, RegistrySeen } from './see-registry.ts'
import { usageFinding } from './usage-finding.ts'
import { ACTIONS } from '../wire/registry.ts'

/** The link to the registry: reachable, the right deployment, its key, its version, its clock, its calls. @param hasKey REGISTRY_KEY is set */
export function registryFindings(seen: RegistrySeen, hasKey: boolean): Finding[] {
  const { host, embedded } = seen
  switch (seen.state) {
    case 'notRunning':
      return [finding(
        'registry.not-running', 'registry', `the bot carries it itself, and no bot runs at ${host}.`,
        'Start the bot, or set GAS_URL when the registry is a Google Sheet; then run the doctor again.', { evidence: { host } }
      )]
    case 'fault':
      return [registryFault(seen, hasKey), finding(
        'registry.unseen', 'registry', 'version, clock and calls could not be looked at.',
        'Mend what is said above first, and run the doctor again.'
      )]
    case 'listed': {
      const { list } = seen
      const carrier = carrierOf(seen)
      const { servers, badRows, nowMs, tookMs } = list
      const count = `${servers.length} ${servers.length === 1 ? 'node' : 'nodes'}`
      return [
        finding(
          'registry.ok', 'registry',
          `${embedded ? 'the bot’s own, at' : 'answers at'} ${host} within ${Math.round(tookMs)} ms, and lists ${count}.`,
          undefined, { evidence: { host, embedded, tookMs: Math.round(tookMs), nodes: servers.length } }
        ),
        ...(badRows > 0 ? [finding(
          'registry.bad-rows', 'registry', `${badRows} of its rows can’t be read, and are passed over.`,
          NEXT_STEPS.badRows[carrier], { evidence: { badRows } }
        )] : []),
        ...openFinding(list, carrier, hasKey),
        versionFinding(list, carrier),
        clockFinding(nowMs - list.atMs, tookMs / 2),
        ...(embedded ? [] : [usageFinding(list.usage, { host, nowMs })])
      ]
    }
  }
}

function openFinding({ warning }: ListSeen, carrier: Carrier, hasKey: boolean): Finding[] {
  if (warning === undefined) return []
  // Without a key of its own the embedded one answers to this machine alone.
  if (carrier === 'bot' && !hasKey) return []
  return [finding('registry.open', 'registry', `it says: ${warning}`, NEXT_STEPS.open[carrier], { evidence: { warning } })]
}

function versionFinding({ actionsSaid }: ListSeen, carrier: Carrier): Finding {
  const known = /^expected \?action= one of ([\w, ]+)$/.exec(actionsSaid ?? '')?.[1]?.split(', ')
  if (known === undefined) {
    return finding('registry.version-unseen', 'registry', 'it does not say which actions it knows.', NEXT_STEPS.noVersion[carrier])
  }
  const missing = ACTIONS.filter((action) => !known.includes(action))
  if (missing.length === 0) return finding('registry.version', 'registry', 'knows all actions of this bot.')
  return finding(
    'registry.old', 'registry', `is older than this bot, and does not know: ${missing.join(', ')}.`, NEXT_STEPS.old[carrier],
    { evidence: { missing } }
  )
}
