import { mayManage } from '../../bot/discord/permissions.ts'
import type { Answer } from './answer.ts'

/** `/read stop`: for who is in the voice channel that it is read to, or where the bot is, and who manages the bot here. What waits already is still said. */
export const stop: Answer = ({ guildId, channelId, member, options }, app, t) => {
  const textChannelId = options.getChannel('channel')?.id ?? channelId
  const reading = app.readings.at(textChannelId)
  const text = `<#${textChannelId}>`
  if (reading?.guildId !== guildId) return t('read.notRead', { text })
  const places = [reading.voiceChannelId, app.sessions.get(guildId)?.channelId()]
  const isThere = member.voice.channelId !== null && places.includes(member.voice.channelId)
  if (!isThere && !mayManage(member, app)) return t('read.notYours', { channel: `<#${reading.voiceChannelId}>` })
  app.readings.remove(textChannelId)
  return t('read.stopped', { text })
}
