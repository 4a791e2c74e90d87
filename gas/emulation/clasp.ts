import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/**
 * Stands in for clasp 3: the same commands, words and exit codes (some failures end with 0, as they do there). Where it runs,
 * `calls.jsonl` gets each call, and `clasp-says.json` says how it is.
 */
interface Says {
  loggedIn?: boolean
  deployments?: { deploymentId: string; versionNumber?: number }[]
  /** What a command prints instead of doing its work, and with which code it ends. */
  fails?: Record<string, { text: string; code: number }>
  hangs?: string
  /** Makes another deployment than it was asked to update. */
  confused?: boolean
}

const says = (existsSync('clasp-says.json') ? JSON.parse(readFileSync('clasp-says.json', 'utf8')) : {}) as Says
const [command = '', ...args] = process.argv.slice(2)
const project = existsSync('.clasp.json') ? (JSON.parse(readFileSync('.clasp.json', 'utf8')) as { scriptId: string; rootDir: string }) : undefined
appendFileSync('calls.jsonl', `${JSON.stringify([command, ...args])}\n`)

const print = (value: unknown) => console.log(JSON.stringify(value, null, 2))
const fault = says.fails?.[command]
if (says.hangs === command) setInterval(() => {}, 1000)
else if (fault) {
  console.error(fault.text)
  process.exitCode = fault.code
} else if (command === 'show-authorized-user') print({ loggedIn: says.loggedIn ?? true })
else if (!project) {
  console.error('Project settings not found.')
  process.exitCode = 1
} else if (command === 'list-deployments') print([{ deploymentId: `head-${'x'.repeat(30)}` }, ...(says.deployments ?? [])])
else if (command === 'push') print(['Code.js', 'appsscript.json'].filter((name) => existsSync(`${project.rootDir}/${name}`)))
else if (command === 'create-deployment' || says.confused) print({ deploymentId: `made-${'y'.repeat(30)}`, versionNumber: 1 })
else if (command === 'update-deployment') print({ deploymentId: args[0], versionNumber: 8 })
else {
  console.error(`Unknown command "clasp ${command}"`)
  process.exitCode = 1
}
