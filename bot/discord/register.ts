import type { ApplicationCommand } from 'discord.js'
import type { Entry } from './command.ts'

/** Whether Discord knows this command just as it is here. discord.js compares all but the descriptions' and names' localisations. */
export function isSameCommand(there: ApplicationCommand, here: Entry['data']): boolean {
  return there.name === here.name && there.equals(here as Parameters<ApplicationCommand['equals']>[0], true)
}
