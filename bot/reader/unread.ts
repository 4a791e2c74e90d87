import type { Muter } from '../guilds/mutes.ts'
import type { GuildSettings } from '../guilds/settings.ts'

/**
 * How a message ended: `heard`, or why it was not. It is the label of a metric, and each message has exactly one.
 * `notRead`: nobody asked for this channel to be read. `notHere`: the bot is in no voice channel, or in another one than this is read to. `flood`: its
 * author writes too much. `old`: it had waited too long. `skipped`: somebody ended it.
 */
export type Result =
  | 'heard' | 'notRead' | 'noIntent' | 'own' | 'system' | 'bot' | 'webhook' | 'mutedByManager' | 'mutedBySelf' | 'role' | 'notInVoice' | 'notHere' | 'nobody' | 'flood'
  | 'prefix' | 'empty' | 'tooLong' | 'queueFull' | 'restarting' | 'old' | 'deleted' | 'skipped' | 'failed'

/** Who wrote a message, as far as it decides whether it is read; what costs a look-up is asked only when it counts. */
export interface Writer {
  kind: 'self' | 'system' | 'webhook' | 'bot' | 'person'
  hasRole(roleId: string): boolean
  isInVoice(): boolean
  muter(): Muter | undefined
}

/** Why what they write is not read, by a server's settings. A role and being in voice are asked of people alone: bots and webhooks have switches of their own. */
export function whyUnread(writer: Writer, settings: Pick<GuildSettings, 'readsBots' | 'readsWebhooks' | 'readerRoleId' | 'onlyInVoice'>): Result | undefined {
  const { kind } = writer
  if (kind === 'self') return 'own'
  if (kind === 'system') return 'system'
  if (kind === 'webhook' && !settings.readsWebhooks) return 'webhook'
  if (kind === 'bot' && !settings.readsBots) return 'bot'
  const muter = writer.muter()
  if (muter !== undefined) return mutedBy(muter)
  if (kind !== 'person') return undefined
  if (settings.readerRoleId !== null && !writer.hasRole(settings.readerRoleId)) return 'role'
  return settings.onlyInVoice && !writer.isInVoice() ? 'notInVoice' : undefined
}

export function mutedBy(muter: Muter): 'mutedByManager' | 'mutedBySelf' {
  return muter === 'manager' ? 'mutedByManager' : 'mutedBySelf'
}
