import { PermissionFlagsBits } from 'discord.js'
import type { Client } from 'discord.js'
import type { VoxError } from '../core/errors.ts'
import { translator } from '../i18n/index.ts'
import type { Translate } from '../i18n/index.ts'
import { SILENCED } from '../voice/guild-view.ts'
import { OVER_REASONS } from '../voice/over.ts'
import type { Over } from '../voice/sessions.ts'
import type { App } from './app.ts'

/** Says once, in the server's language, that a session ended by itself, and why; nothing where the bot may not write, or is not any more. */
export async function tellOver(client: Client, { guildId, channelId, reason, tellIn }: Over, { log, settings }: Pick<App, 'log' | 'settings'>): Promise<void> {
  const guild = client.guilds.cache.get(guildId)
  const channel = tellIn === undefined ? undefined : guild?.channels.cache.get(tellIn)
  if (!guild?.members.me || channel?.isSendable() !== true) return
  const write = channel.isThread() ? PermissionFlagsBits.SendMessagesInThreads : PermissionFlagsBits.SendMessages
  if (!channel.permissionsFor(guild.members.me).has([PermissionFlagsBits.ViewChannel, write])) return
  const { language } = settings.get(guildId)
  const say = translator(language === 'auto' ? guild.preferredLocale : language)
  const content = say(`over.${reason}`, { channel: `<#${channelId}>` })
  await channel.send({ content, allowedMentions: { parse: [] } }).catch((error: unknown) => log.warn({ err: error, guild: guildId }, 'the end of a session could not be told'))
}

/** What the author of an utterance reads when the voice connection did not carry it. */
export function voiceSentence({ code, context }: VoxError, say: Translate): string {
  const channel = `<#${String(context['channelId'])}>`
  if (code === 'VOICE_SILENCED' && context['why'] === 'encryption') return say('silenced.encryption', { channel })
  const silenced = SILENCED.find((each) => each === context['why'])
  if (code === 'VOICE_SILENCED' && silenced !== undefined) return `${say(`silenced.${silenced}`, { channel })} ${say('silenced.gaveUp')}`
  const reason = OVER_REASONS.find((each) => each === context['reason'])
  return reason === undefined ? say('fault.VOICE_CONNECTION') : say(`over.${reason}`, { channel })
}
