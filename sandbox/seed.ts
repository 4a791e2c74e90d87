import { BOT_PERMISSIONS, EVERYONE_PERMISSIONS, permission } from './permissions.ts'
import type { Channel, Guild, User, World } from './world.ts'

export interface GuildSeed {
  name: string
  channels: readonly { name: string; type: Channel['type'] }[]
  /** The first one owns the server. People of the same name in several servers are one user. */
  members: readonly { name: string; locale?: string; color?: string; admin?: boolean }[]
  /** Bytes; 10 MiB when absent. */
  uploadLimitBytes?: number
}

export const DEFAULT_UPLOAD_LIMIT_BYTES = 10 * 1024 * 1024

export const DEFAULT_GUILDS: readonly GuildSeed[] = [
  {
    name: 'Voxpool Sandbox',
    channels: [
      { name: 'general', type: 0 },
      { name: 'read-aloud', type: 0 },
      { name: 'Lounge', type: 2 },
      { name: 'Stage left', type: 2 }
    ],
    members: [
      { name: 'Mina', locale: 'en-US', color: '#c2410c', admin: true },
      { name: 'Haru', locale: 'ja', color: '#0f766e' },
      { name: 'Jisoo', locale: 'ko', color: '#7c3aed' },
      { name: 'Alex', locale: 'en-US', color: '#1d4ed8' }
    ]
  }
]

/** `kind` keeps the ids of different things apart: 1 guild, 2 channel, 3 role, 4 user. */
const seedId = (kind: number, number: number) => String(1_100_000_000_000_000_000n + BigInt(kind) * 1_000_000_000n + BigInt(number))

function personNamed(world: World, name: string, color: string): User {
  const known = [...world.users.values()].find((user) => user.displayName === name && !user.bot)
  if (known) return known
  const user = { id: seedId(4, world.users.size), username: name.toLowerCase(), displayName: name, bot: false, color }
  world.users.set(user.id, user)
  return user
}

/** Adds a guild with the bot in it. The ids depend only on the order of the seeds. */
export function seedGuild(world: World, seed: GuildSeed, index: number): Guild {
  const id = seedId(1, index)
  const botRole = seedId(3, index * 10 + 1)
  const adminRole = seedId(3, index * 10 + 2)
  const guild: Guild = {
    id,
    name: seed.name,
    ownerId: '',
    uploadLimitBytes: seed.uploadLimitBytes ?? DEFAULT_UPLOAD_LIMIT_BYTES,
    channels: new Map(),
    roles: new Map([
      [id, { id, name: '@everyone', permissions: EVERYONE_PERMISSIONS }],
      [botRole, { id: botRole, name: world.application.name, permissions: BOT_PERMISSIONS }],
      [adminRole, { id: adminRole, name: 'Admins', permissions: permission.Administrator }]
    ]),
    members: new Map(),
    voiceStates: new Map()
  }
  seed.channels.forEach(({ name, type }, number) => {
    const channel = { id: seedId(2, index * 1000 + number), guildId: id, name, type, overwrites: [], userLimit: 0 }
    guild.channels.set(channel.id, channel)
  })
  seed.members.forEach(({ name, locale = 'en-US', color = '#475569', admin = false }, number) => {
    const user = personNamed(world, name, color)
    guild.members.set(user.id, { userId: user.id, roleIds: admin ? [adminRole] : [], nick: null, locale })
    if (number === 0) guild.ownerId = user.id
  })
  const botId = world.application.id
  guild.members.set(botId, { userId: botId, roleIds: [botRole], nick: null, locale: 'en-US' })
  world.guilds.set(id, guild)
  if (world.application.ownerId === '') world.application.ownerId = guild.ownerId
  return guild
}
