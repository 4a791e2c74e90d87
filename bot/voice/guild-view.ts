import type { DiscordGatewayAdapterCreator } from '@discordjs/voice'
import type { OverReason } from './over.ts'

/**
 * Why nobody hears the bot although it is in the channel. `muted` by a moderator; `speak`: it lacks the permission to; `audience`: on a stage, as one
 * of the audience; `asked`: the same, and it has asked to speak.
 */
export const SILENCED = ['muted', 'speak', 'audience', 'asked'] as const
export type Silenced = (typeof SILENCED)[number]

/** What a session needs of its guild, as Discord tells it at the moment. */
export interface GuildView {
  readonly guildId: string
  readonly adapterCreator: DiscordGatewayAdapterCreator
  /** Whether the gateway's session is up, so that what it told is true and what it is asked is done. */
  isUp(): boolean
  /** The channel where the gateway says that the bot is; null when it is in none. */
  ownChannelId(): string | null
  /** Whether there are people in a channel. */
  hasPeople(channelId: string): boolean
  /** What keeps the bot out of a channel. */
  hindrance(channelId: string): OverReason | undefined
  /** What keeps the bot from being heard where it is. */
  silenced(): Silenced | undefined
  /**
   * On a stage, as one of the audience: becomes a speaker when it may, else asks to be one. Resolves when Discord has said that it is so, there is no
   * way, or the signal aborts. @throws what Discord said
   */
  askToSpeak(signal: AbortSignal): Promise<void>
}
