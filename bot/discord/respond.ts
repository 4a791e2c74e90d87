import { DiscordAPIError, MessageFlags } from 'discord.js'
import type { ActionRowBuilder, AttachmentBuilder, MessageActionRowComponentBuilder, RepliableInteraction } from 'discord.js'
import type { Clock } from '../core/clock.ts'

export interface Reply {
  content: string
  files?: AttachmentBuilder[]
  components?: ActionRowBuilder<MessageActionRowComponentBuilder>[]
  /** Its member must learn of it, in the channel when the token has died. */
  mustReach?: boolean
}

/** A command's token dies after 15 min; a little before that its answer goes to the channel instead. */
export const TOKEN_MS = 14.5 * 60_000

/** Discord's words for a token that is dead: Invalid Webhook Token; Unknown Webhook. Its clock is not ours. */
const TOKEN_DIED: readonly unknown[] = [50027, 10015]

export const isTokenDead = (error: unknown): boolean => error instanceof DiscordAPIError && TOKEN_DIED.includes(error.code)

const NOBODY = { parse: [] }

/**
 * Answers a command in whatever state it is: first answer, the deferred one, or one more edit of it. A first answer is seen by its member alone.
 * When the token has died, an answer that others may see, or that must reach its member, is posted in the channel.
 */
export async function respond(interaction: RepliableInteraction<'cached'>, reply: Reply, clock: Pick<Clock, 'now'>): Promise<void> {
  const { content, files = [], components = [], mustReach = false } = reply
  if (!interaction.deferred && !interaction.replied) {
    await interaction.reply({ content, files, components, flags: MessageFlags.Ephemeral, allowedMentions: NOBODY })
    return
  }
  const edited = async () => {
    if (clock.now() - interaction.createdTimestamp > TOKEN_MS) return false
    try {
      await interaction.editReply({ content, files, components, allowedMentions: NOBODY })
      return true
    } catch (error) {
      if (!isTokenDead(error)) throw error
      return false
    }
  }
  if ((await edited()) || (!mustReach && interaction.ephemeral)) return
  await interaction.channel?.send({ content: `<@${interaction.user.id}> ${content}`, files, allowedMentions: { users: [interaction.user.id] } })
}

/** Plain text inside our own sentences: names and labels that others chose must not become markup or a mention. */
export function plain(text: string): string {
  return text.replace(/[\\*_~`|<>@#[\]()-]/g, '\\$&').replace(/\s+/g, ' ')
}

/** At most so many characters, with an ellipsis where something is missing; never half of a character. */
export function cut(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** Rows as one message, as many as fit; `more` says how many do not. */
export function rowsWithin(rows: readonly string[], more: (left: number) => string, maxChars = 1900): string {
  const shown: string[] = []
  let chars = 0
  for (const row of rows) {
    chars += row.length + 1
    if (chars > maxChars) return [...shown, more(rows.length - shown.length)].join('\n')
    shown.push(row)
  }
  return shown.join('\n')
}
