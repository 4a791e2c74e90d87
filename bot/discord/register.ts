import type { ApplicationCommand, RESTPostAPIChatInputApplicationCommandsJSONBody } from 'discord.js'

/** Whether Discord knows this command just as it is here. discord.js compares all but the descriptions' and names' localisations. */
export function isSameCommand(there: ApplicationCommand, here: RESTPostAPIChatInputApplicationCommandsJSONBody): boolean {
  return there.name === here.name && there.equals(here as Parameters<ApplicationCommand['equals']>[0], true)
}
