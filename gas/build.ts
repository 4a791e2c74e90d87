import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { bundle } from './bundle.ts'

/**
 * `npm run build:gas`: writes what is pasted or pushed into Apps Script. `--check` fails when the committed files are not those
 * of the sources. Another folder than `gas/dist` may be named.
 */
const [folder = join(import.meta.dirname, 'dist')] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))

const MANIFEST = {
  timeZone: 'Etc/UTC',
  dependencies: {},
  exceptionLogging: 'STACKDRIVER',
  runtimeVersion: 'V8',
  webapp: { executeAs: 'USER_DEPLOYING', access: 'ANYONE_ANONYMOUS' }
}

const files = { 'Code.js': await bundle(), 'appsscript.json': `${JSON.stringify(MANIFEST, null, 2)}\n` }

if (process.argv.includes('--check')) {
  const stale = Object.entries(files).filter(([name, text]) => readIfThere(join(folder, name)) !== text)
  for (const [name] of stale) console.error(`${shown(name)} is stale: run npm run build:gas and commit it`)
  process.exitCode = stale.length === 0 ? 0 : 1
} else {
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text)
    console.log(`${shown(name)}: ${String(Buffer.byteLength(text))} bytes`)
  }
}

function shown(name: string): string {
  return relative(process.cwd(), join(folder, name))
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
