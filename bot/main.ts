import { Events } from 'discord.js'
import { startBot } from './compose.ts'
import type { Bot } from './compose.ts'
import { sleep, systemClock } from './core/clock.ts'
import { readConfig } from './core/config.ts'
import type { Config } from './core/config.ts'
import { StorageError } from './core/database.ts'
import { createLog } from './core/log.ts'
import { LoginError } from './discord/client.ts'
import { ManifestError } from './entry/services/manifest.ts'

/**
 * `npm start` and `npm run bot`: the only place that reads the environment and ends the process.
 * Without `DISCORD_TOKEN`, `npm start` is a rehearsal; `npm run bot` (`--bot-only`) says what is missing.
 */
const NODE_LIMIT_MS = 180_000

const closing: (() => Promise<void>)[] = []

/** Ends for a reason that the person at the terminal can mend: one line each, no stack. */
async function refuse(...lines: string[]): Promise<never> {
  for (const line of lines) console.error(line)
  await closeAll()
  process.exit(1)
}

async function closeAll(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close().catch((error: unknown) => console.error(error))
}

async function bringUp(config: Config): Promise<Bot> {
  const secrets = [config.DISCORD_TOKEN, config.REGISTRY_KEY, config.NODE_KEY].filter((secret) => secret !== undefined)
  try {
    const bot = await startBot({ config, log: createLog(config.LOG_LEVEL, secrets) })
    closing.push(bot.close)
    // A token that was reset, an intent that was taken away: the next start, by a process manager or by hand, says what is to be done, or does without.
    bot.client.once(Events.ShardDisconnect, () => void refuse())
    return bot
  } catch (error) {
    if (error instanceof LoginError || error instanceof StorageError) return refuse(error.message)
    if (error instanceof ManifestError) return refuse(...error.faults)
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      return refuse(`HTTP_PORT: ${config.HTTP_HOST}:${config.HTTP_PORT} is taken. Is Voxpool running already? Else set HTTP_PORT to another port.`)
    }
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(code)) return refuse(`HTTP_HOST: this machine has no address ${config.HTTP_HOST}.`)
    if (['EACCES', 'EPERM', 'EROFS', 'EEXIST', 'ENOTDIR', 'ENOENT', 'ERR_SQLITE_ERROR'].includes(code)) {
      return refuse(`DATA_DIR (${config.DATA_DIR}) can't be used: ${error instanceof Error ? error.message : code}.`)
    }
    throw error
  }
}

async function rehearse(config: Config): Promise<void> {
  console.log('No DISCORD_TOKEN is set, so this is a rehearsal: a Discord, a registry and a voice on this machine alone.')
  const { startRehearsal } = await import('../sandbox/rehearsal.ts')
  // The person who tries it reads the lines below; the log is for those who ask for it.
  const quiet = process.env['LOG_LEVEL'] === undefined ? { ...config, LOG_LEVEL: 'error' as const } : config
  const rehearsal = await startRehearsal(quiet, (line) => console.log(`  ${line}`))
  closing.push(rehearsal.close)
  const bot = await bringUp(rehearsal.config)
  console.log('  Starting the voice ...')
  await rehearsal.startNode(`http://127.0.0.1:${bot.httpPort}/registry`)
  const deadlineMs = systemClock.monotonic() + NODE_LIMIT_MS
  while (bot.app.pool.nodes().every(({ health }) => health.state !== 'ready')) {
    const ended = rehearsal.nodeEnded()
    if (ended !== undefined || systemClock.monotonic() > deadlineMs) {
      await refuse(`The local node did not start${ended === undefined ? '' : `: ${ended}`}. \`npm run node\` shows all that it says.`)
    }
    await sleep(systemClock, 100)
  }
  console.log(`\nOpen ${rehearsal.pageUrl}\nJoin Lounge there, and type /say Hello there!\nThe status page: ${bot.entryUrl}\nCtrl-C ends it.`)
}

const read = readConfig(process.env)
if (!read.ok) await refuse(...read.faults)
else {
  for (const warning of read.warnings) console.error(`Warning: ${warning}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      process.once(signal, () => process.exit(130))
      void closeAll().then(() => process.exit(0))
    })
  }
  if (read.config.DISCORD_TOKEN !== undefined) await bringUp(read.config)
  else if (process.argv.includes('--bot-only')) {
    await refuse('DISCORD_TOKEN is not set: the bot needs the token of a Discord application. README, "For real", says where it comes from.')
  } else await rehearse(read.config)
}
