import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { DeployError, askClasp } from './clasp.ts'
import type { Clasp } from './clasp.ts'

const Id = z.string().check(z.regex(/^[\w-]{20,200}$/))
const Target = z.object({ scriptId: z.optional(Id), deploymentId: z.optional(Id) })
type Target = z.infer<typeof Target>
const Deployment = z.object({ deploymentId: Id, versionNumber: z.optional(z.int()) })

export interface DeployOptions {
  clasp: Clasp
  /** Holds `dist`, and keeps `.deploy.json` and clasp's `.clasp.json`, which git ignores. */
  folder: string
  env: Readonly<Record<string, string | undefined>>
  /** Stands in Apps Script's list of versions. */
  description: string
  say: (line: string) => void
}

/**
 * Pushes `dist` and gives one deployment the new version, so that its address stays. Which script and which deployment is said by
 * `GAS_SCRIPT_ID` and `GAS_DEPLOYMENT_ID`, once: afterwards `.deploy.json` knows. Without a deployment id the only deployment
 * there is serves, and where there is none, one is made.
 * @returns the web app's address
 * @throws DeployError with what is to be done
 */
export async function deploy({ clasp, folder, env, description, say }: DeployOptions): Promise<string> {
  const target = readTarget(folder, env)
  if (target.scriptId === undefined) {
    throw new DeployError('GAS_SCRIPT_ID is missing. It stands in Apps Script under Project Settings > Script ID. Needed once:\n   GAS_SCRIPT_ID=... npm run deploy:gas')
  }
  const { loggedIn } = z.object({ loggedIn: z._default(z.boolean(), false) }).parse(await askClasp(clasp, 'show-authorized-user'))
  if (!loggedIn) throw new DeployError('clasp is not logged in to Google\n-> log in first: npm run deploy:gas -- login')

  writeFileSync(join(folder, '.clasp.json'), `${JSON.stringify({ scriptId: target.scriptId, rootDir: 'dist' }, null, 2)}\n`)
  const deploymentId = target.deploymentId ?? (await theOnlyDeployment(clasp))
  // Without --force clasp asks about a changed manifest, and takes no answer for no.
  await askClasp(clasp, 'push', '--force')
  say('pushed gas/dist')

  const args = deploymentId === undefined ? ['create-deployment'] : ['update-deployment', deploymentId]
  const done = Deployment.safeParse(await askClasp(clasp, ...args, '--description', description))
  if (!done.success) throw new DeployError(`clasp ${args[0] ?? ''} did not say what it deployed`)
  if (deploymentId !== undefined && done.data.deploymentId !== deploymentId) {
    throw new DeployError(`the address has changed: clasp made ${done.data.deploymentId} instead of updating ${deploymentId}`)
  }
  const kept: Target = { scriptId: target.scriptId, deploymentId: done.data.deploymentId }
  writeFileSync(join(folder, '.deploy.json'), `${JSON.stringify(kept, null, 2)}\n`)
  say(`${deploymentId === undefined ? 'made a new deployment' : 'updated the deployment'}, version ${done.data.versionNumber ?? 'unknown'}`)
  return `https://script.google.com/macros/s/${done.data.deploymentId}/exec`
}

function readTarget(folder: string, env: DeployOptions['env']): Target {
  const given = Target.safeParse({ scriptId: env['GAS_SCRIPT_ID'] || undefined, deploymentId: env['GAS_DEPLOYMENT_ID'] || undefined })
  if (!given.success) throw new DeployError('GAS_SCRIPT_ID and GAS_DEPLOYMENT_ID are ids of letters, digits, - and _ (not addresses)')
  const kept = readKept(join(folder, '.deploy.json'))
  const scriptId = given.data.scriptId ?? kept.scriptId
  // A kept deployment is one of the kept script.
  const deploymentId = given.data.deploymentId ?? (scriptId === kept.scriptId ? kept.deploymentId : undefined)
  return { ...(scriptId !== undefined && { scriptId }), ...(deploymentId !== undefined && { deploymentId }) }
}

function readKept(file: string): Target {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return {}
  }
  try {
    return Target.parse(JSON.parse(text))
  } catch {
    throw new DeployError(`${file} can not be read: delete it, and say GAS_SCRIPT_ID and GAS_DEPLOYMENT_ID once more`)
  }
}

/** The one at HEAD, which every script has, is not for callers: it asks for a login. */
async function theOnlyDeployment(clasp: Clasp): Promise<string | undefined> {
  const all = z.array(Deployment).safeParse(await askClasp(clasp, 'list-deployments'))
  if (!all.success) throw new DeployError('clasp list-deployments answered something else than a list')
  const [first, ...rest] = all.data.filter(({ versionNumber }) => versionNumber !== undefined)
  if (rest.length === 0) return first?.deploymentId
  const ids = [first, ...rest].map((one) => `   ${one?.deploymentId ?? ''} (version ${one?.versionNumber ?? ''})`).join('\n')
  throw new DeployError(`the script has several deployments; say once which one the nodes and the bot use, by GAS_DEPLOYMENT_ID:\n${ids}`)
}
