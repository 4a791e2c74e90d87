import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, 'rivals')
const LIMIT_MS = 180_000

/** Fetches, once, the libraries that ours is measured against. @throws when they can't be had */
export function installRivals(): void {
  if (existsSync(join(FOLDER, 'node_modules', 'discord-player'))) return
  console.log('Fetching discord-player and mediaplex ...')
  const arguments_ = ['install', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps']
  const { status } = spawnSync('npm', arguments_, { cwd: FOLDER, stdio: ['ignore', 'ignore', 'inherit'], timeout: LIMIT_MS })
  if (status !== 0) throw new Error('discord-player could not be installed: the bench needs npm’s registry at its first run')
}

/** Where a rival's module lies, for an import at run time: to the types it does not exist. */
export function rivalModule(path: string): string {
  return new URL(`./rivals/node_modules/${path}`, import.meta.url).href
}
