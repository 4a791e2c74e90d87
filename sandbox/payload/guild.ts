import { isThread } from '../find.ts'
import type { Channel, DmChannel, Guild, Role, World } from '../world.ts'
import { memberPayload, userPayloadById, voiceStatePayload } from './people.ts'

export function rolePayload(role: Role, position: number, botRoleOf?: string) {
  return {
    id: role.id,
    name: role.name,
    permissions: String(role.permissions),
    position,
    color: 0,
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    hoist: false,
    icon: null,
    unicode_emoji: null,
    managed: botRoleOf !== undefined,
    mentionable: false,
    flags: 0,
    ...(botRoleOf !== undefined && { tags: { bot_id: botRoleOf } })
  }
}

export function rolePayloads(world: World, guild: Guild) {
  const isBotRole = (role: Role) => role.name === world.application.name
  return [...guild.roles.values()].map((role, position) => rolePayload(role, position, isBotRole(role) ? world.application.id : undefined))
}

export function channelPayload(channel: Channel, position = 0) {
  if (isThread(channel)) return threadPayload(channel)
  const voice = { bitrate: 64_000, user_limit: channel.userLimit, rtc_region: null, video_quality_mode: 1 }
  return {
    id: channel.id,
    guild_id: channel.guildId,
    name: channel.name,
    type: channel.type,
    position,
    parent_id: null,
    nsfw: false,
    topic: null,
    flags: 0,
    last_message_id: null,
    rate_limit_per_user: 0,
    permission_overwrites: channel.overwrites.map(({ id, kind, allow, deny }) => ({
      id,
      type: kind === 'role' ? 0 : 1,
      allow: String(allow),
      deny: String(deny)
    })),
    ...((channel.type === 2 || channel.type === 13) && voice)
  }
}

function threadPayload({ id, guildId, parentId, name, type }: Channel) {
  return {
    id,
    guild_id: guildId,
    parent_id: parentId,
    owner_id: '0',
    name,
    type,
    last_message_id: null,
    message_count: 0,
    member_count: 1,
    total_message_sent: 0,
    rate_limit_per_user: 0,
    flags: 0,
    thread_metadata: { archived: false, auto_archive_duration: 1440, archive_timestamp: '2024-01-01T00:00:00.000000+00:00', locked: false }
  }
}

/** A thread as somebody is told of it; nothing of a private one that they are not in. */
export function threadPayloadFor(userId: string, thread: Channel) {
  const isMember = thread.memberIds?.includes(userId) === true
  if (thread.type === 12 && !isMember) return undefined
  const member = { id: thread.id, user_id: userId, join_timestamp: '2024-01-01T00:00:00.000000+00:00', flags: 0 }
  return { ...threadPayload(thread), newly_created: true, ...(isMember && { member }) }
}

export function channelPayloads(guild: Guild) {
  return [...guild.channels.values()].filter((channel) => !isThread(channel)).map((channel, position) => channelPayload(channel, position))
}

export function dmPayload(world: World, dm: DmChannel) {
  return { id: dm.id, type: 1, flags: 0, last_message_id: null, recipients: [userPayloadById(world, dm.userId)] }
}

/** The guild as REST gives it: without what only the gateway tells (channels, members, voice states). */
export function guildPayload(world: World, guild: Guild) {
  return {
    id: guild.id,
    name: guild.name,
    owner_id: guild.ownerId,
    icon: null,
    splash: null,
    discovery_splash: null,
    banner: null,
    description: null,
    region: 'local',
    afk_channel_id: null,
    afk_timeout: 300,
    verification_level: 0,
    default_message_notifications: 1,
    explicit_content_filter: 0,
    mfa_level: 0,
    application_id: null,
    system_channel_id: null,
    system_channel_flags: 0,
    rules_channel_id: null,
    public_updates_channel_id: null,
    safety_alerts_channel_id: null,
    max_presences: null,
    max_members: 500_000,
    vanity_url_code: null,
    premium_tier: 0,
    premium_subscription_count: 0,
    premium_progress_bar_enabled: false,
    preferred_locale: guild.preferredLocale ?? 'en-US',
    nsfw_level: 0,
    features: [],
    emojis: [],
    stickers: [],
    roles: rolePayloads(world, guild)
  }
}

/** What GUILD_CREATE carries. `everyone`: all members, as with the presences intent; else the bot and who is in voice. */
export function guildCreatePayload(world: World, guild: Guild, { everyone, voiceStates }: { everyone: boolean; voiceStates: boolean }) {
  const inSight = (userId: string) => everyone || userId === world.application.id || guild.voiceStates.has(userId)
  const members = [...guild.members.values()].filter(({ userId }) => inSight(userId))
  return {
    ...guildPayload(world, guild),
    joined_at: '2024-01-01T00:00:00.000000+00:00',
    large: false,
    unavailable: false,
    member_count: guild.members.size,
    channels: channelPayloads(guild),
    threads: [...guild.channels.values()].filter(isThread).flatMap((thread) => threadPayloadFor(world.application.id, thread) ?? []),
    members: members.map((member) => memberPayload(world, member)),
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
    voice_states: voiceStates ? [...guild.voiceStates.values()].map((state) => voiceStatePayload(world, guild, state.userId, state)) : []
  }
}
