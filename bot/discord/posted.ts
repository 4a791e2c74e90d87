import { MessageFlags } from 'discord.js'
import type { Attachment, Message, MessageSnapshot } from 'discord.js'
import type { Attached, Posted } from '../speech/reading/posted.ts'

/** What a message holds that can be read: of an own message or a context menu's all of it, whatever the intents; else what Discord let the bot see. */
export function postedOf(message: Message | MessageSnapshot): Posted {
  const { content, stickers, attachments, flags } = message
  const isVoiceMessage = flags.has(MessageFlags.IsVoiceMessage)
  const poll = 'poll' in message ? message.poll : null
  const forwarded = 'messageSnapshots' in message ? message.messageSnapshots?.first() : undefined
  return {
    content,
    stickers: stickers.map(({ name }) => name),
    attachments: attachments.map((attachment) => ({ kind: isVoiceMessage ? 'voiceMessage' : kindOf(attachment), name: attachment.name })),
    ...(poll && { poll: { question: poll.question.text ?? '', answers: poll.answers.map(({ text }) => text ?? '').filter((text) => text !== '') } }),
    ...(forwarded && { forwarded: postedOf(forwarded) })
  }
}

const KINDS = ['image', 'video', 'audio', 'text'] as const

function kindOf({ contentType }: Attachment): Attached['kind'] {
  return KINDS.find((kind) => contentType?.startsWith(`${kind}/`)) ?? 'file'
}
