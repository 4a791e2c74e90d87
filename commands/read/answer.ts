import type { ChatInputCommandInteraction } from 'discord.js'
import type { App } from '../../bot/discord/app.ts'
import type { Translate } from '../../bot/i18n/index.ts'

/** A subcommand that answers with one text, at once or after it has deferred. */
export type Answer = (interaction: ChatInputCommandInteraction<'cached'>, app: App, t: Translate) => string | Promise<string>
