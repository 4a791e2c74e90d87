import { STALE_MS } from '../nodes/node.ts'
import { covers } from '../entry/services/manifest.ts'
import type { Service } from '../entry/services/manifest.ts'
import type { ServerRow } from '../wire/registry.ts'
import { finding } from './finding.ts'
import type { Evidence, Finding, FindingId } from './finding.ts'
import type { Carrier } from './registry-carrier.ts'
import { SMOKE_LIMIT_MS } from './see-services.ts'
import type { ServiceSeen, SmokeSeen } from './see-services.ts'

/** The registry's list, by its own clock. */
export interface Listed {
  servers: readonly ServerRow[]
  nowMs: number
  carrier: Carrier
}

const NAMED_MAX = 20

/** What can't be used of the manifest: the bot does not start with it. */
export function manifestFindings(faults: readonly string[]): Finding[] {
  return faults.map((fault) => {
    const at = fault.indexOf(': ')
    return finding('services.manifest', fault.slice(0, at), `can't be used: ${fault.slice(at + 2)}.`, 'Correct it, else the bot does not start: docs/services.md has every entry.')
  })
}

/**
 * The links to what is public beside speech: whether each smoke path is answered as the manifest says, and where that breaks.
 * @param listed undefined: there is no list of nodes
 */
export function serviceFindings(seen: readonly ServiceSeen[], listed: Listed | undefined): Finding[] {
  const smokes = seen.flatMap((each) => each.smokes)
  if (smokes.length > 0 && smokes.every(({ answer }) => answer.by === 'nobody')) {
    return [finding('services.not-running', 'services', 'could not be looked at: no bot runs at HTTP_HOST:HTTP_PORT.', 'Start the bot, and run the doctor again.')]
  }
  if (smokes.some(({ answer }) => answer.by === 'stranger')) {
    return [finding(
      'services.elsewhere', 'services', 'another program answers at HTTP_PORT, where the bot’s entry would be.', 'End that program, or set HTTP_PORT to another port for bot and doctor.'
    )]
  }
  return seen.flatMap((each) => findingsOf(each, listed))
}

/** Paths that nodes serve and no entry of the manifest makes public: they exist, and nobody can use them. */
export function unusedFindings(services: readonly Service[], { servers }: Pick<Listed, 'servers'>): Finding[] {
  const isPublic = (pattern: string) => services.some(({ path }) => covers(path, pattern) || covers(pattern, path))
  const paths = [...new Set(servers.flatMap((row) => row.paths ?? []))].filter((pattern) => !isPublic(pattern))
  if (paths.length === 0) return []
  const named = paths.slice(0, NAMED_MAX)
  const more = paths.length > named.length ? ` and ${paths.length - named.length} more` : ''
  return [finding(
    'services.not-public', 'services', `nodes serve ${named.join(', ')}${more}, which no entry of services.json makes public.`,
    'Nothing to do, unless people shall reach them: docs/services.md.', { evidence: { paths: named } }
  )]
}

function findingsOf({ service, smokes }: ServiceSeen, listed: Listed | undefined): Finding[] {
  const bad = smokes.flatMap((smoke) => {
    const found = faultOf(smoke, service, listed)
    return found === undefined ? [] : [found]
  })
  if (bad.length > 0) return bad
  const tookMs = Math.round(Math.max(...smokes.map((smoke) => smoke.tookMs)))
  const what = smokes.length === 1 ? 'its smoke path' : `its ${smokes.length} smoke paths`
  return [finding('service.ok', subjectOf(service), `answers ${what} as it has to, within ${tookMs} ms.`, undefined, { evidence: { tookMs, smokes: smokes.length } })]
}

const subjectOf = ({ path }: Service) => `service ${path}`

function faultOf({ smoke, requestId, answer }: SmokeSeen, service: Service, listed: Listed | undefined): Finding | undefined {
  const { method, status: expected } = smoke
  // A query may hold a key.
  const path = smoke.path.split('?', 1)[0] ?? ''
  const tell = (id: FindingId, message: string, nextStep: string, more: Evidence = {}) =>
    finding(id, subjectOf(service), message, nextStep, { evidence: { smoke: `${method} ${path}`, requestId, ...more } })
  switch (answer.by) {
    case 'node':
      if (answer.status === expected) return undefined
      return tell(
        'service.wrong-status', `its node answers ${method} ${path} with status ${answer.status}, and not ${expected}.`,
        `Look for request ${requestId} at the server behind the path, or correct the smoke path in services.json.`, { status: answer.status, expected }
      )
    case 'entry':
      return tell(...refusalOf(answer, { path, requestId, service, listed }), { status: answer.status, code: answer.code })
    case 'silent':
      return tell(...silence(`${method} ${path}`, service))
    default:
      return tell('service.unseen', `was not looked at: ${answer.by === 'noTime' ? 'the time for all services was over' : 'the bot ended meanwhile'}.`, 'Run the doctor again in a moment.')
  }
}

/** No answer for as long as the doctor waits, which the manifest may not hold against it. */
function silence(asked: string, { limits }: Service): [id: FindingId, message: string, nextStep: string] {
  const allowedMs = limits.connectMs + limits.firstByteMs
  const waited = `${SMOKE_LIMIT_MS / 1000} s`
  if (allowedMs <= SMOKE_LIMIT_MS) return ['service.silent', `does not answer ${asked} within ${waited}.`, 'Look at the server behind the path: it hangs, or is slow to load.']
  return [
    'service.unseen', `was not seen to answer ${asked}: the doctor waits ${waited}, and services.json lets it take ${Math.ceil(allowedMs / 1000)} s.`,
    'Ask it yourself, or look at the server behind the path if it should be faster.'
  ]
}

/** Why the entry itself refused. */
function refusalOf(
  { code, status }: { code: string; status: number },
  { path, requestId, service, listed }: { path: string; requestId: string; service: Service; listed: Listed | undefined }
): [id: FindingId, message: string, nextStep: string] {
  switch (code) {
    case 'not_found':
      return ['service.unknown', 'stands in services.json, and the bot that runs does not know it.', 'Start the bot again: it reads services.json (or SERVICES_FILE) once.']
    case 'unauthorized':
      return [
        'service.unseen', 'was not looked at: it asks for an API key, since with this HTTP_HOST the doctor is a stranger like all others.',
        'Ask it yourself with a key, or run the bot with HTTP_HOST=127.0.0.1.'
      ]
    case 'unavailable':
      return withoutNode(path, service, listed)
    case 'busy':
      return ['service.busy', 'all its places are taken.', 'Nothing to do, unless it stays so: then start another node, or raise its limits.concurrency.']
    case 'upstream_failed':
      return ['service.failed', 'its node, or the server behind that, failed.', `Look for request ${requestId} in the bot’s log, then at the server behind the path.`]
    case 'upstream_timeout':
      return ['service.silent', 'its node did not answer within the limits of services.json.', 'Look at the server behind the path; raise limits.firstByteMs if it has to take so long.']
    default:
      return ['service.failed', `the bot refuses its smoke path: ${code}, status ${status}.`, `Look for request ${requestId} in the bot’s log.`]
  }
}

/** No node can be asked: there is none, it is switched off, or it is there and can't. */
function withoutNode(path: string, { path: pattern }: Service, listed: Listed | undefined): [id: FindingId, message: string, nextStep: string] {
  if (listed === undefined) return ['service.unseen', 'no node answers it now, and why could not be looked up: there is no list of nodes.', 'Mend the registry first, and run the doctor again.']
  const serving = listed.servers.filter(({ paths, lastSeen }) => lastSeen > 0 && paths?.some((each) => covers(each, path)) === true)
  if (serving.length === 0) {
    const tooOld = listed.carrier === 'google' ? ' Where one runs with them, the registry’s script is too old to keep them: npm run deploy:gas.' : ''
    return ['service.no-node', 'no node has registered it.', `Start a node with PATHS=${pattern} and PATHS_URL (docs/services.md).${tooOld}`]
  }
  const names = serving.slice(0, NAMED_MAX).map(({ serverId }) => serverId).join(', ')
  if (serving.every(({ enabled }) => !enabled)) return ['service.disabled', `what serves it is disabled by hand (${names}).`, 'Enable it: /nodes enable, or TRUE in the sheet where there is one.']
  const isSilent = serving.every(({ enabled, lastSeen }) => !enabled || listed.nowMs - lastSeen > STALE_MS)
  return [
    'service.node-away', `what serves it can't be used now (${names})${isSilent ? ': it no longer beats' : ''}.`,
    isSilent ? 'See whether its runner still runs, and start it again if not.' : 'What is said above of that node says why; a new one is asked within a quarter of a minute.'
  ]
}
