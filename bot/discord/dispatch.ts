import { randomBytes } from 'node:crypto'
import { DiscordAPIError, HTTPError } from 'discord.js'
import type { Interaction, RepliableInteraction } from 'discord.js'
import { isDiskFault } from '../core/database.ts'
import { VoxError, asVoxError } from '../core/errors.ts'
import { translator } from '../i18n/index.ts'
import type { Translate } from '../i18n/index.ts'
import type { App } from './app.ts'
import type { Entry } from './command.ts'
import { voiceSentence } from './notices.ts'
import { respond } from './respond.ts'

/** The one error boundary of commands: whatever one throws is told to its member, counted and logged once, and the others run on. */
export async function dispatch(interaction: Interaction, entries: ReadonlyMap<string, Entry>, app: App): Promise<void> {
  const name = nameOf(interaction)
  const entry = name === undefined ? undefined : entries.get(name)
  if (name === undefined || entry === undefined) return
  try {
    if (interaction.isAutocomplete()) {
      if (interaction.inCachedGuild() && 'execute' in entry) await entry.autocomplete?.(interaction, app)
      return
    }
    if (!interaction.isRepliable()) return
    const say = translator(interaction.locale)
    if (!interaction.inCachedGuild()) {
      await interaction.reply(say('refused.guildOnly'))
      return
    }
    await run(interaction, entry, app, say).catch(async (thrown: unknown) => {
      const content = tell(faultOf(thrown), name, app, say)
      await respond(interaction, { content, mustReach: true }, app.clock)
    })
  } catch (error) {
    // Not even the apology got through.
    app.log.warn({ err: error, command: name }, 'an answer did not reach Discord')
  }
}

/** Whose interaction this is: a command by its name, a component by the first part of its `customId`. */
function nameOf(interaction: Interaction): string | undefined {
  if (interaction.isCommand() || interaction.isAutocomplete()) return interaction.commandName
  return interaction.isMessageComponent() || interaction.isModalSubmit() ? interaction.customId.split(':')[0] : undefined
}

async function run(interaction: RepliableInteraction<'cached'>, entry: Entry, app: App, say: Translate): Promise<void> {
  if ('executeOn' in entry) {
    if (interaction.isMessageContextMenuCommand()) await entry.executeOn(interaction, app, say)
  } else if (interaction.isChatInputCommand()) await entry.execute(interaction, app, say)
  else if (interaction.isMessageComponent() || interaction.isModalSubmit()) await entry.component?.(interaction, app, say)
}

/** Any thrown thing as the fault that it means, what Discord answered too. */
export function faultOf(thrown: unknown): VoxError {
  if (thrown instanceof DiscordAPIError || thrown instanceof HTTPError) {
    // 40005: larger than this server takes, whatever the interaction said of the limit.
    if (thrown.status === 413 || ('code' in thrown && thrown.code === 40005)) return new VoxError('UPLOAD_TOO_LARGE', {}, thrown)
    return new VoxError('DISCORD_API', { status: thrown.status, code: 'code' in thrown ? thrown.code : undefined }, thrown)
  }
  return isDiskFault(thrown) ? new VoxError('NOT_KEPT', {}, thrown) : asVoxError(thrown)
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
      if (error.code === 'VOICE_CONNECTION' || error.code === 'VOICE_SILENCED') return voiceSentence(error, say)
      if (error.code === 'UPLOAD_TOO_LARGE') return say(`fault.${error.code}`)
      return say('fault.discord')
    case 'bug': {
      const id = randomBytes(3).toString('hex')
      log.error({ command, id, err: error.cause ?? error }, error.code === 'NOT_KEPT' ? 'the database did not take it' : 'bug')
      if (error.code === 'NOT_KEPT') return say('fault.NOT_KEPT')
      return say('fault.bug', { id })
    }
  }
}
