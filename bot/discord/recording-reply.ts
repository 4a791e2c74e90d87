import { DiscordAPIError, MessageFlags, PermissionFlagsBits, RESTJSONErrorCodes } from 'discord.js'
import type { AttachmentBuilder, ChatInputCommandInteraction, InteractionEditReplyOptions, MessageContextMenuCommandInteraction } from 'discord.js'
import type { Clock } from '../core/clock.ts'
import type { Translate } from '../i18n/index.ts'
import { TOKEN_MS, isTokenDead } from './respond.ts'

/** A command that may be answered with a recording: `/say`, and the menus of a message. */
export type RecordingCommand = ChatInputCommandInteraction<'cached'> | MessageContextMenuCommandInteraction<'cached'>

/** Where a recording goes: the answer to a command, and when its token has died, the channel or its author's direct messages. */
export interface RecordingReply {
  /** Shows how far it is. It is worth an attempt now and then, no more; a reply that waits to become a voice message can show nothing. */
  progress(content: string): void
  /** One native voice message. Where the reply has shown progress, the caption stays in it and the voice message follows. */
  voiceMessage(file: AttachmentBuilder, caption: string): Promise<'sent' | 'refused' | 'expired'>
  /** The end of it in words, with or without files. Throws what Discord says of them. */
  finish(answer: Answer): Promise<void>
}

interface Answer {
  content: string
  files?: AttachmentBuilder[]
  /** What only its author should see, where that is still possible. */
  privately?: boolean
}

const PROGRESS_EACH_MS = 3_000
const NOBODY = { parse: [] }

/**
 * Defers the answer. As a voice message it is deferred as one, which is the only way to make the very reply one: an edit can't set the flag. Such
 * a reply takes no words, so what is no voice message takes its place. (Where Discord ignored the flag, a plain file would stand there.)
 */
export async function openRecordingReply(
  interaction: RecordingCommand,
  { asVoiceMessage, clock, t }: { asVoiceMessage: boolean; clock: Clock; t: Translate }
): Promise<RecordingReply> {
  // Its types know one flag alone; the bits of others pass as text.
  await interaction.deferReply(asVoiceMessage ? { flags: `${MessageFlags.IsVoiceMessage}` } : {})
  let stands: 'voiceMessage' | 'message' | 'nothing' = asVoiceMessage ? 'voiceMessage' : 'message'
  let expired = false
  let shownMs = -Infinity
  let showing: Promise<unknown> | undefined

  /** False when the token is dead, by our clock or by Discord's word. */
  async function withToken(call: () => Promise<unknown>): Promise<boolean> {
    expired ||= clock.now() - interaction.createdTimestamp > TOKEN_MS
    if (expired) return false
    try {
      await call()
      return true
    } catch (error) {
      if (!isTokenDead(error)) throw error
      expired = true
      return false
    }
  }

  /** False when there is no reply to edit: it was taken back, or somebody deleted it. */
  async function edit(message: InteractionEditReplyOptions): Promise<boolean> {
    if (stands === 'nothing') return false
    try {
      await interaction.editReply(message)
      return true
    } catch (error) {
      if (!(error instanceof DiscordAPIError) || error.code !== RESTJSONErrorCodes.UnknownMessage) throw error
      stands = 'nothing'
      return false
    }
  }

  async function answer({ content, files = [], privately = false }: Answer): Promise<void> {
    const message = { content, files, allowedMentions: NOBODY }
    if (stands === 'voiceMessage') {
      // When it can't be deleted, it is not there, or what follows says what is wrong.
      await interaction.deleteReply().catch(() => undefined)
      stands = 'nothing'
    }
    if (await edit(message)) return
    await interaction.followUp({ ...message, ...(privately && { flags: MessageFlags.Ephemeral }) })
  }

  return {
    progress(content) {
      const nowMs = clock.monotonic()
      if (stands !== 'message' || showing !== undefined || nowMs - shownMs < PROGRESS_EACH_MS) return
      shownMs = nowMs
      showing = withToken(() => interaction.editReply({ content, allowedMentions: NOBODY }))
        .catch(() => undefined)
        .finally(() => (showing = undefined))
    },
    async voiceMessage(file, caption) {
      await showing
      try {
        const sent = await withToken(async () => {
          if (stands === 'voiceMessage') {
            if (await edit({ files: [file] })) return
          } else await edit({ content: caption, allowedMentions: NOBODY })
          await interaction.followUp({ files: [file], flags: MessageFlags.IsVoiceMessage })
        })
        return sent ? 'sent' : 'expired'
      } catch (error) {
        if (error instanceof DiscordAPIError && (error.status === 400 || error.status === 403)) return 'refused'
        throw error
      }
    },
    async finish({ content, files = [], privately = false }) {
      await showing
      if (await withToken(() => answer({ content, files, privately }))) return
      if (await postInChannel(interaction, { content, files })) return
      await interaction.user.send({ content: `${t('recording.notThere', { channel: `<#${interaction.channelId}>` })} ${content}`, files, allowedMentions: NOBODY })
    }
  }
}

/** Posts for the author, who alone is mentioned. False where the bot may not. */
async function postInChannel({ channel, guild, user }: RecordingCommand, { content, files = [] }: Answer): Promise<boolean> {
  const permissions = guild.members.me && channel?.permissionsFor(guild.members.me)
  const toSend = channel?.isThread() ? PermissionFlagsBits.SendMessagesInThreads : PermissionFlagsBits.SendMessages
  const needed = [PermissionFlagsBits.ViewChannel, toSend, ...(files.length > 0 ? [PermissionFlagsBits.AttachFiles] : [])]
  if (!channel || !permissions?.has(needed)) return false
  await channel.send({ content: `<@${user.id}> ${content}`, files, allowedMentions: { users: [user.id] } })
  return true
}
