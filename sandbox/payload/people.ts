import type { Guild, Member, User, VoiceState, World } from '../world.ts'

/** Joined long ago: nothing in the sandbox depends on when. */
const JOINED_AT = '2024-01-01T00:00:00.000000+00:00'

export const isoTime = (ms: number) => new Date(ms).toISOString().replace('Z', '000+00:00')

/** Discord's user object. */
export function userPayload(user: User) {
  return {
    id: user.id,
    username: user.username,
    global_name: user.bot ? null : user.displayName,
    discriminator: user.bot ? '0001' : '0',
    avatar: null,
    bot: user.bot,
    system: false,
    public_flags: 0,
    flags: 0,
    banner: null,
    accent_color: null,
    avatar_decoration_data: null
  }
}

/** Of a user who may be gone: Discord answers with a husk, never with nothing. */
export function userPayloadById(world: World, userId: string) {
  return userPayload(world.users.get(userId) ?? { id: userId, username: 'deleted_user', displayName: 'Deleted User', bot: false, color: '#888888' })
}

/** Discord's guild member object without `user`. */
export function bareMemberPayload(member: Member) {
  return {
    nick: member.nick,
    roles: member.roleIds,
    joined_at: JOINED_AT,
    premium_since: null,
    deaf: false,
    mute: false,
    flags: 0,
    pending: false,
    avatar: null,
    banner: null,
    communication_disabled_until: null
  }
}

export function memberPayload(world: World, member: Member) {
  return { ...bareMemberPayload(member), user: userPayloadById(world, member.userId) }
}

/** Discord's voice state; of somebody who has just left with `channel_id` null. */
export function voiceStatePayload(world: World, guild: Guild, userId: string, state: VoiceState | null, lastSessionId = '') {
  const member = guild.members.get(userId)
  return {
    guild_id: guild.id,
    channel_id: state?.channelId ?? null,
    user_id: userId,
    ...(member && { member: memberPayload(world, member) }),
    session_id: state?.sessionId ?? lastSessionId,
    deaf: state?.deaf ?? false,
    mute: state?.mute ?? false,
    self_deaf: state?.selfDeaf ?? false,
    self_mute: state?.selfMute ?? false,
    self_video: false,
    suppress: state?.suppress ?? false,
    request_to_speak_timestamp: state?.requestToSpeakAt ?? null
  }
}
