import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'

/** A push and a deployment take seconds; the first start also fetches clasp itself. */
const LIMIT_MS = 300_000
const OUTPUT_MAX_CHARS = 100_000

/** What an operator can do about it, by what clasp prints. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/has not enabled the Apps Script API/i, 'turn the Apps Script API on at https://script.google.com/home/usersettings, wait a minute, and try again'],
  [/no credentials|not logged in|invalid_grant|NOT_AUTHENTICATED|missing required authentication/i, 'log in first: npm run deploy:gas -- login'],
  [/requested entity was not found|project settings not found|NOT_FOUND/i, 'no such script or deployment for this account: check GAS_SCRIPT_ID and GAS_DEPLOYMENT_ID, and who is logged in'],
  [/permission|NOT_AUTHORIZED/i, 'the account that is logged in may not change this script: log in as its owner'],
  [/(?:maximum|limit|too many).{0,60}(?:versions|deployments)|(?:versions|deployments).{0,60}(?:maximum|limit)/i, 'Apps Script keeps 200 versions and 20 deployments: delete old ones in its editor (Project History, Manage deployments)'],
  [/ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT|ECONNRESET|fetch failed/i, 'Google, or the npm registry that clasp comes from, can not be reached from here']
]

/** Something that the operator can set right; its message says how. */
export class DeployError extends Error {}

/** Runs clasp once and gives what it printed. Its exit code alone says little: some failures end with 0. */
export type Clasp = (...args: string[]) => Promise<string>

/**
 * @param command the program and its first arguments
 * @throws DeployError with what clasp said and what can be done about it
 */
export function createClasp(command: readonly string[], folder: string, options: { limitMs?: number; inherit?: boolean } = {}): Clasp {
  const [program = '', ...first] = command
  const { limitMs = LIMIT_MS, inherit = false } = options
  return (...args) =>
    new Promise((resolve, reject) => {
      // In a group of its own, so that what npx started ends with it; but a person who logs in needs the terminal, and their time.
      const child = spawn(program, [...first, ...args], { cwd: folder, detached: !inherit, stdio: inherit ? 'inherit' : ['ignore', 'pipe', 'pipe'] })
      const heard = { out: '', err: '' }
      let isLate = false
      const timer = inherit ? undefined : setTimeout(() => {
        isLate = true
        endGroup(child)
      }, limitMs)
      child.stdout?.setEncoding('utf8').on('data', (text: string) => (heard.out = (heard.out + text).slice(-OUTPUT_MAX_CHARS)))
      child.stderr?.setEncoding('utf8').on('data', (text: string) => (heard.err = (heard.err + text).slice(-OUTPUT_MAX_CHARS)))
      child.on('error', () => {
        clearTimeout(timer)
        reject(new DeployError(`${program} can not be started: is Node's npx there?`))
      })
      child.on('close', (code) => {
        clearTimeout(timer)
        if (isLate) reject(new DeployError(`clasp ${args[0] ?? ''} did not end within ${limitMs / 1000} s`))
        else if (code === 0 && !/has not enabled the Apps Script API/i.test(heard.err + heard.out)) resolve(heard.out)
        else reject(failure(args[0] ?? '', heard.err + heard.out))
      })
    })
}

function endGroup(child: ChildProcess): void {
  try {
    if (child.pid === undefined) return
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // No groups on this system, or it has just ended.
    child.kill('SIGKILL')
  }
}

/** What clasp printed as JSON. @throws DeployError when it did not: then it has failed, whatever its exit code. */
export async function askClasp(clasp: Clasp, ...args: string[]): Promise<unknown> {
  const text = await clasp(...args, '--json')
  try {
    return JSON.parse(text)
  } catch {
    throw failure(args[0] ?? '', text)
  }
}

function failure(step: string, output: string): DeployError {
  const said = output.replace(/\s+/g, ' ').trim().slice(0, 300) || 'it printed nothing'
  const remedy = REMEDIES.find(([pattern]) => pattern.test(output))?.[1]
  return new DeployError(`clasp ${step} failed: ${said}${remedy === undefined ? '' : `\n-> ${remedy}`}`)
}
