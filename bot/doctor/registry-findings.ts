import { clockFinding } from './clock-finding.ts'
import { finding } from './finding.ts'
import type { Finding } from './finding.ts'
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
          'Look in the sheet for rows with a value that does not fit its column.', { evidence: { badRows } }
        )] : []),
        ...openFinding(list, embedded, hasKey),
        versionFinding(list),
        clockFinding(nowMs - list.atMs, tookMs / 2),
        ...(embedded ? [] : [usageFinding(list.usage, { host, nowMs })])
      ]
    }
  }
}

function openFinding({ warning }: ListSeen, embedded: boolean, hasKey: boolean): Finding[] {
  if (warning === undefined) return []
  // Without a key of its own the embedded one answers to this machine alone.
  if (embedded && !hasKey) return []
  return [finding(
    'registry.open', 'registry', `it says: ${warning}`,
    'Give it a key: in the sheet’s menu, Voxpool -> Set up; then set REGISTRY_KEY to that key.', { evidence: { warning } }
  )]
}

function versionFinding({ actionsSaid }: ListSeen): Finding {
  const known = /^expected \?action= one of ([\w, ]+)$/.exec(actionsSaid ?? '')?.[1]?.split(', ')
  if (known === undefined) {
    return finding(
      'registry.version-unseen', 'registry', 'it does not say which actions it knows.',
      'Bring the newest script, as docs/registry.md says, unless it is another program that answers the same calls.'
    )
  }
  const missing = ACTIONS.filter((action) => !known.includes(action))
  if (missing.length === 0) return finding('registry.version', 'registry', 'knows all actions of this bot.')
  return finding(
    'registry.old', 'registry', `its script is older than the bot, and does not know: ${missing.join(', ')}.`,
    'Bring the new one: npm run deploy:gas, or paste gas/dist/Code.js, then Manage deployments -> pencil -> New version.',
    { evidence: { missing } }
  )
}
