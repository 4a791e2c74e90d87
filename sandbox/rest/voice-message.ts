import { FLAG } from '../messages.ts'
import { may, permission } from '../permissions.ts'
import type { Attachment, Channel, Guild, Message } from '../world.ts'
import { invalidForm, refused } from './errors.ts'

const WAVEFORM_BYTES_MAX = 256
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** The waveform of `attachments[index]`: base64 of 256 bytes at most. @throws ApiError 50035 */
export function checkWaveform(waveform: string, index: number): void {
  const fault = (code: string, message: string) => invalidForm(['attachments', index, 'waveform'], code, message)
  if (!BASE64.test(waveform)) throw fault('BASE_TYPE_INVALID', 'Not base64.')
  if (Buffer.from(waveform, 'base64').byteLength > WAVEFORM_BYTES_MAX) throw fault('BASE_TYPE_BAD_LENGTH', `Must be ${WAVEFORM_BYTES_MAX} or fewer in length.`)
}

/**
 * What Discord demands of a message with the flag: nothing but one audio file, with its waveform and its length.
 * @throws ApiError 50159, 50160, 50161
 */
export function checkVoiceMessage({ content, embeds, components, attachments }: Pick<Message, 'content' | 'embeds' | 'components' | 'attachments'>): void {
  if (content !== '' || embeds.length > 0 || components.length > 0) throw refused.voiceExtraContent()
  const [only, ...others] = attachments
  if (!only || others.length > 0 || !only.contentType.startsWith('audio/')) throw refused.voiceOneAttachment()
  if (!isDescribed(only)) throw refused.voiceMetadata()
}

function isDescribed({ durationSecs, waveform }: Attachment): boolean {
  return Boolean(durationSecs) && Boolean(waveform)
}

/** @throws ApiError 50173 when the bot may not send voice messages there, in answer to a command either */
export function checkMaySendVoice(place: { guild: Guild; channel: Channel } | undefined, userId: string, flags: number): void {
  if (flags & FLAG.voiceMessage && place && !may(place.guild, userId, place.channel, permission.SendVoiceMessages)) throw refused.voiceHere()
}
