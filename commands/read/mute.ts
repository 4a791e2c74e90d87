import { mayManage } from '../../bot/discord/permissions.ts'
import type { Answer } from './answer.ts'

/** `/read mute`: oneself, for everybody; somebody else, for who manages the bot here. It lasts until it is lifted. */
export const mute: Answer = ({ guildId, member, user, options }, app, t) => {
  const other = options.getUser('member')
  if (other === null || other.id === user.id) {
    app.mutes.set(guildId, user.id, 'self', true)
    return t('read.muteSelf')
  }
  if (!mayManage(member, app)) return t('refused.notManager')
  app.mutes.set(guildId, other.id, 'manager', true)
  return t('read.muteOther', { name: `<@${other.id}>` })
}

/** `/read unmute`: what somebody decided about themselves, nobody else lifts; and the other way round. */
export const unmute: Answer = ({ guildId, member, user, options }, app, t) => {
  const other = options.getUser('member')
  if (other === null || other.id === user.id) {
    app.mutes.set(guildId, user.id, 'self', false)
    if (mayManage(member, app)) app.mutes.set(guildId, user.id, 'manager', false)
    return t(app.mutes.of(guildId, user.id) === undefined ? 'read.unmuteSelf' : 'read.stillMuted')
  }
  if (!mayManage(member, app)) return t('refused.notManager')
  app.mutes.set(guildId, other.id, 'manager', false)
  return t('read.unmuteOther', { name: `<@${other.id}>` })
}
