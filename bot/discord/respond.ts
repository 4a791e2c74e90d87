import { MessageFlags } from 'discord.js'
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

const NOBODY = { parse: [] }

/**
 * Answers a command in whatever state it is: first answer, the deferred one, or one more edit of it. A first answer is seen by its member alone.
 * When the token has died, an answer that others may see, or that must reach its member, is posted in the channel.
 */
export async function respond(interaction: RepliableInteraction<'cached'>, { content, files = [], components = [], mustReach = false }: Reply, clock: Pick<Clock, 'now'>): Promise<void> {
  const expired = clock.now() - interaction.createdTimestamp > TOKEN_MS
  if (!interaction.deferred && !interaction.replied) {
    await interaction.reply({ content, files, components, flags: MessageFlags.Ephemeral, allowedMentions: NOBODY })
  } else if (!expired) {
    await interaction.editReply({ content, files, components, allowedMentions: NOBODY })
  } else if (mustReach || !interaction.ephemeral) {
    await interaction.channel?.send({ content: `<@${interaction.user.id}> ${content}`, files, allowedMentions: NOBODY })
  }
}

/** Plain text inside our own sentences: names and labels that others chose must not become markup or a mention. */
export function plain(text: string): string {
  return text.replace(/[\\*_~`|<>@#[\]()-]/g, '\\$&').replace(/\s+/g, ' ')
}
