import type {
  AutocompleteInteraction,
  ChatInputCommandInteraction,
  MessageContextMenuCommandInteraction,
  RepliableInteraction,
  RESTPostAPIChatInputApplicationCommandsJSONBody,
  RESTPostAPIContextMenuApplicationCommandsJSONBody
} from 'discord.js'
import type { Translate } from '../i18n/index.ts'
import type { App } from './app.ts'

/** One slash command: what Discord is told of it, and what it does. A command translates between Discord and a use case, nothing else. */
export interface Command {
  data: RESTPostAPIChatInputApplicationCommandsJSONBody
  /** A throw is caught at the one boundary, told to the member and logged there. `say` speaks the member's language. */
  execute(interaction: ChatInputCommandInteraction<'cached'>, app: App, say: Translate): Promise<void>
  autocomplete?(interaction: AutocompleteInteraction<'cached'>, app: App): Promise<void>
  /**
   * A button, select or form of one of its messages, however old, from before a restart too: all it knows is in the `customId`, whose first part,
   * up to a colon, is the command's name.
   */
  component?(interaction: Component, app: App, say: Translate): Promise<void>
}

/** An entry of the menu that a message has. */
export interface MessageMenu {
  data: RESTPostAPIContextMenuApplicationCommandsJSONBody
  executeOn(interaction: MessageContextMenuCommandInteraction<'cached'>, app: App, say: Translate): Promise<void>
}

/** A pressed button, a select that was chosen from, or a form that was sent. */
export type Component = Extract<RepliableInteraction<'cached'>, { customId: string }>

export type Entry = Command | MessageMenu

interface Told {
  name: string
  description: string
  name_localizations: { ja: string; ko: string }
  description_localizations: { ja: string; ko: string }
}

/** A name and a description in English, Japanese and Korean, as Discord wants them of commands and options. */
export function told(name: readonly [en: string, ja: string, ko: string], description: readonly [en: string, ja: string, ko: string]): Told {
  return {
    name: name[0],
    name_localizations: { ja: name[1], ko: name[2] },
    description: description[0],
    description_localizations: { ja: description[1], ko: description[2] }
  }
}
