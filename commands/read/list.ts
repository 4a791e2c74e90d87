import { mayManage } from '../../bot/discord/permissions.ts'
import type { Answer } from './answer.ts'

/** As many names as fit a message beside twenty channels. */
const MUTED_SHOWN = 25

/** `/read list`: what is read where, and, for who manages the bot here, whom managers muted. */
export const list: Answer = ({ guildId, member }, app, t) => {
  const readings = app.readings.of(guildId)
  const lines = readings.map(({ textChannelId, voiceChannelId }) => t('read.line', { text: `<#${textChannelId}>`, channel: `<#${voiceChannelId}>` }))
  const muted = mayManage(member, app) ? app.mutes.byManagers(guildId, MUTED_SHOWN).map((id) => `<@${id}>`) : []
  return [...(lines.length > 0 ? lines : [t('read.none')]), ...(muted.length > 0 ? [t('read.muted', { list: muted.join(', ') })] : [])].join('\n')
}
