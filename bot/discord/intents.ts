import { ApplicationFlags, DiscordAPIError, GatewayIntentBits, IntentsBitField, Routes } from 'discord.js'
import type { Client, RESTGetCurrentApplicationResult } from 'discord.js'

/** What every bot may have. What was written in a message comes only with the privileged message-content intent. */
export const INTENTS = [GatewayIntentBits.Guilds, GatewayIntentBits.GuildVoiceStates, GatewayIntentBits.GuildMessages]

const GRANTED = ApplicationFlags.GatewayMessageContent | ApplicationFlags.GatewayMessageContentLimited

/**
 * Before the login: adds the message-content intent where the application's owner has switched it on. Discord closes on a bot that asks for an
 * intent that it was not given (4014), and the application's flags tell beforehand; where they can't be had, the login finds out.
 * @throws DiscordAPIError when the token is wrong
 */
export async function askForContent(client: Client, token: string): Promise<void> {
  if ((await flagsOf(client, token)) & GRANTED) client.options.intents = new IntentsBitField([...INTENTS, GatewayIntentBits.MessageContent]).freeze()
}

/** Whether Discord tells this bot what people write. */
export function canReadMessages({ options }: Pick<Client, 'options'>): boolean {
  return options.intents.has(GatewayIntentBits.MessageContent)
}

async function flagsOf({ rest }: Client, token: string): Promise<number> {
  try {
    return ((await rest.setToken(token).get(Routes.currentApplication())) as RESTGetCurrentApplicationResult).flags
  } catch (error) {
    if (error instanceof DiscordAPIError && error.status === 401) throw error
    return GRANTED
  }
}
