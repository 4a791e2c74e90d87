import type { AutocompleteInteraction, ChatInputCommandInteraction, RESTPostAPIChatInputApplicationCommandsJSONBody } from 'discord.js'
import type { Translate } from '../i18n/index.ts'
import type { App } from './app.ts'

/** One slash command: what Discord is told of it, and what it does. A command translates between Discord and a use case, nothing else. */
export interface Command {
  data: RESTPostAPIChatInputApplicationCommandsJSONBody
  /** A throw is caught at the one boundary, told to the member and logged there. `say` speaks the member's language. */
  execute(interaction: ChatInputCommandInteraction<'cached'>, app: App, say: Translate): Promise<void>
  autocomplete?(interaction: AutocompleteInteraction<'cached'>, app: App): Promise<void>
}
