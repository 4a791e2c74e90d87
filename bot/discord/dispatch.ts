import { randomBytes } from 'node:crypto'
import { DiscordAPIError, HTTPError } from 'discord.js'
import type { Interaction } from 'discord.js'
import { VoxError, asVoxError } from '../core/errors.ts'
import { translator } from '../i18n/index.ts'
import type { Translate } from '../i18n/index.ts'
import type { App } from './app.ts'
import type { Command } from './command.ts'
import { respond } from './respond.ts'

/** The one error boundary of commands: whatever one throws is told to its member, counted and logged once, and the others run on. */
export async function dispatch(interaction: Interaction, commands: ReadonlyMap<string, Command>, app: App): Promise<void> {
  if (!interaction.isChatInputCommand() && !interaction.isAutocomplete()) return
  const command = commands.get(interaction.commandName)
  if (command === undefined) return
  try {
    if (interaction.isAutocomplete()) {
      if (interaction.inCachedGuild()) await command.autocomplete?.(interaction, app)
      return
    }
    const say = translator(interaction.locale)
    if (!interaction.inCachedGuild()) {
      await interaction.reply(say('refused.guildOnly'))
      return
    }
    await command.execute(interaction, app, say).catch(async (thrown: unknown) => {
      const content = tell(faultOf(thrown), interaction.commandName, app, say)
      await respond(interaction, { content, mustReach: true })
    })
  } catch (error) {
    // Not even the apology got through.
    app.log.warn({ err: error, command: interaction.commandName }, 'an answer did not reach Discord')
  }
}

function faultOf(thrown: unknown): VoxError {
  if (thrown instanceof DiscordAPIError || thrown instanceof HTTPError) {
    // 40005: larger than this server takes, whatever the interaction said of the limit.
    if (thrown.status === 413 || ('code' in thrown && thrown.code === 40005)) return new VoxError('UPLOAD_TOO_LARGE', {}, thrown)
    return new VoxError('DISCORD_API', { status: thrown.status, code: 'code' in thrown ? thrown.code : undefined }, thrown)
  }
  return asVoxError(thrown)
}

/** Counts and logs a fault at the edge, and says what its member should know of it. */
export function tell(error: VoxError, command: string, { log, metrics }: Pick<App, 'log' | 'metrics'>, say: Translate): string {
  metrics.faults.inc({ code: error.code })
  switch (error.kind) {
    case 'user':
      return error.code === 'TEXT_REFUSED' || error.code === 'VOICE_UNKNOWN' ? say(`fault.${error.code}`) : say('fault.cancelled')
    case 'busy':
      log.warn({ command, code: error.code, ...error.context }, 'busy')
      return error.code === 'NO_NODE' || error.code === 'RESTARTING' ? say(`fault.${error.code}`) : say('fault.busy')
    case 'node':
      log.warn({ command, code: error.code, ...error.context }, 'no node could say it')
      return error.code === 'TEXT_BREAKS_NODES' ? say('fault.TEXT_BREAKS_NODES') : say('fault.node')
    case 'registry':
      log.warn({ command, code: error.code, ...error.context }, 'registry fault')
      return say('fault.registry')
    case 'discord':
      log.warn({ command, code: error.code, ...error.context, err: error.cause }, 'Discord fault')
      if (error.code === 'VOICE_CONNECTION' || error.code === 'UPLOAD_TOO_LARGE') return say(`fault.${error.code}`)
      return say('fault.discord')
    case 'bug': {
      const id = randomBytes(3).toString('hex')
      log.error({ command, id, err: error.cause ?? error }, 'bug')
      return say('fault.bug', { id })
    }
  }
}
