import type { VoxError } from '../core/errors.ts'
import { finding } from './finding.ts'
import type { Finding, FindingId } from './finding.ts'
import type { RegistrySeen } from './see-registry.ts'

const MANAGE = 'in the script’s editor, Deploy -> Manage deployments -> pencil'

const FEWER_CALLS = 'Wait for some minutes; if it comes back, raise HEARTBEAT_SEC of the nodes (docs/registry.md, "What it costs").'

/** Apps Script's pages by words of theirs, in the languages that we know; any other page is still found to be one. */
const PAGES: readonly { id: FindingId; words: RegExp; message: string; nextStep: string }[] = [
  {
    id: 'registry.no-function', words: /script function not found/i,
    message: 'the address runs a script without our functions: an old or empty deployment',
    nextStep: `Put gas/dist/Code.js into the script and make a new version of the deployment: ${MANAGE} -> New version.`
  },
  {
    id: 'registry.login', words: /sign[ -]?in|asks for a login|ログイン|로그인/i, message: 'it asks for a login',
    nextStep: `Set "Who has access" to Anyone (${MANAGE}), and see that GAS_URL ends in /exec.`
  },
  {
    id: 'registry.limits', words: /too many (?:scripts|times|simultaneous)|quota|多すぎ|너무 많/i,
    message: 'Google says that its limits are reached',
    nextStep: FEWER_CALLS
  }
]

/** Why there is no list. @param hasKey REGISTRY_KEY is set */
export function registryFault({ host, embedded, error }: Extract<RegistrySeen, { state: 'fault' }>, hasKey: boolean): Finding {
  const evidence = { host, code: error.code }
  switch (error.code) {
    case 'REGISTRY_UNREACHABLE': {
      const reason = textIn(error, 'reason')
      return finding(
        'registry.unreachable', 'registry', `${host} can’t be reached (${reason}).`,
        embedded ? 'See which program has HTTP_PORT: it takes the connection and drops it, or has just ended.' : 'See whether this machine has a way out, and GAS_URL is the deployment’s address.',
        { evidence: { ...evidence, reason } }
      )
    }
    case 'REGISTRY_SILENT':
      return finding(
        'registry.silent', 'registry', `${host} does not answer in time.`,
        embedded ? 'Start the bot again: it hangs, or another program has HTTP_PORT.' : 'Run the doctor again in a minute; "Executions" in the editor says why.',
        { evidence }
      )
    case 'REGISTRY_REFUSED':
      return refused(error, evidence, { embedded, hasKey })
    default:
      return embedded ? elsewhere(error, evidence) : notAnswer(error, evidence)
  }
}

function refused(error: VoxError, evidence: Record<string, string>, { embedded, hasKey }: { embedded: boolean; hasKey: boolean }): Finding {
  const said = textIn(error, 'code')
  const more = { evidence: { ...evidence, said } }
  if (said === 'unauthorized') {
    const message = hasKey ? 'it refuses REGISTRY_KEY: the key is another one.' : 'it wants a key, and REGISTRY_KEY is not set.'
    return finding(
      'registry.key-wrong', 'registry', message,
      embedded ? 'Give the doctor the REGISTRY_KEY of the bot.' : 'Copy the key anew: Project Settings -> Script Properties; a space at its end counts too.',
      more
    )
  }
  if (said === 'busy') {
    return finding(
      'registry.busy', 'registry', 'it has too many writes at once.',
      'Run the doctor again in a moment; if it stays so, raise HEARTBEAT_SEC of the nodes.', more
    )
  }
  if (embedded && said === 'not_found') {
    return finding(
      'registry.elsewhere', 'registry', 'the bot that runs here does not carry the registry: it was started with other settings.',
      'Give the doctor the settings of the bot, GAS_URL above all.', more
    )
  }
  return finding(
    'registry.failed', 'registry', `it refuses to list its nodes: ${said}.`,
    embedded ? 'The bot’s log says why.' : '"Executions" in the script’s editor says why.', more
  )
}

function elsewhere(error: VoxError, evidence: Record<string, string>): Finding {
  return finding(
    'registry.elsewhere', 'registry', 'another program answers at HTTP_PORT, where the bot would carry the registry.',
    'End that program, or set HTTP_PORT to another port for bot and doctor.', { evidence: { ...evidence, page: pageOf(error) } }
  )
}

function notAnswer(error: VoxError, evidence: Record<'host' | 'code', string>): Finding {
  const page = pageOf(error)
  const status = Number(error.context['status'] ?? 200)
  const said = `${evidence.host} answers with status ${status}`
  if (status === 429) return finding('registry.limits', 'registry', `${said}: too many calls.`, FEWER_CALLS, { evidence: { ...evidence, status, page } })
  if (status >= 500) return finding('registry.failed', 'registry', `${said}.`, 'Run the doctor again in a minute.', { evidence: { ...evidence, status, page } })
  const more = { evidence: { ...evidence, page } }
  const known = PAGES.find(({ words }) => words.test(page))
  if (known !== undefined) return finding(known.id, 'registry', `${known.message}.`, known.nextStep, more)
  return finding(
    'registry.page', 'registry', 'what answers there is not a registry.',
    'See that GAS_URL is the Web app URL of the deployment, and ends in /exec.', more
  )
}

const pageOf = (error: VoxError) => `${textIn(error, 'page')} ${textIn(error, 'reason')}`.trim()

const textIn = ({ context }: VoxError, name: string): string => (typeof context[name] === 'string' ? context[name] : '')
