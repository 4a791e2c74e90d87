import type { GuildSettings } from '../../bot/guilds/settings.ts'
import { guildNamed } from '../../sandbox/find.ts'
import type { GuildSeed } from '../../sandbox/seed.ts'
import type { Stage } from '../../sandbox/stage.ts'
import type { Guild } from '../../sandbox/world.ts'
import type { Post } from './posts.ts'

export const PEOPLE = 12
const IN_VOICE = 4

/** A server of the town, and what it chose. */
export interface Place {
  guild: Guild
  /** Where people may write, and whether it is read. */
  channels: readonly { id: string; isRead: boolean }[]
  people: readonly string[]
  bot: string
  readerRoleId: string
  settings: GuildSettings
  isIn(userId: string): boolean
  isMuted(userId: string): boolean
}

export const seeds = (count: number): GuildSeed[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `Server ${index}`,
    channels: [{ name: 'general', type: 0 }, { name: 'news', type: 5 }, { name: 'unread', type: 0 }, { name: 'Lounge', type: 2 }],
    members: Array.from({ length: PEOPLE }, (_, person) => ({ name: `꧁${index}·${person}꧂` }))
  }))

/** Settles a server: its channels are read in its own way, some of its people are in voice, and the bot has come. In the last of all nobody is. */
export function settle(stage: Stage, index: number, { isEmpty, random }: { isEmpty: boolean; random: () => number }): Place {
  const { act, world } = stage.sandbox
  const { app } = stage.bot
  const guild = guildNamed(world, `Server ${index}`)
  const [general = '', news = '', unread = '', lounge = ''] = [...guild.channels.keys()]
  const people = [...guild.members.keys()].filter((id) => id !== world.application.id)
  const thread = act.startThread(guild.ownerId, general, 'side talk').id
  const bot = act.addMember(guild.id, 'Jukebox', { bot: true })
  const readerRoleId = act.addRole(guild.id, 'Readers')
  for (const person of people.slice(0, PEOPLE / 2)) act.setRoles(guild.id, person, [readerRoleId])
  const settings = app.settings.change(guild.id, choiceOf(readerRoleId, random))
  for (const textChannelId of [general, news, thread, lounge]) app.readings.add({ guildId: guild.id, textChannelId, voiceChannelId: lounge })
  const [self = '', byManager = ''] = people.slice(-2)
  app.mutes.set(guild.id, self, 'self', true)
  app.mutes.set(guild.id, byManager, 'manager', true)
  const inVoice = new Set(isEmpty ? [] : people.slice(0, IN_VOICE))
  for (const person of inVoice) act.joinVoice(person, lounge)
  return {
    guild, people, bot, readerRoleId, settings,
    channels: [general, news, thread, lounge, unread].map((id) => ({ id, isRead: id !== unread })),
    isIn: (userId) => inVoice.has(userId),
    isMuted: (userId) => userId === self || userId === byManager
  }
}

function choiceOf(readerRoleId: string, random: () => number): Partial<GuildSettings> {
  const maybe = (share: number) => random() < share
  const among = <T>(...all: T[]): T => all[Math.floor(random() * all.length)] as T
  return {
    readsBots: maybe(0.5),
    readsWebhooks: maybe(0.5),
    onlyInVoice: maybe(0.2),
    readerRoleId: maybe(0.2) ? readerRoleId : null,
    saysName: maybe(0.5),
    links: among('skip', 'word', 'site'),
    attachments: among('skip', 'kind'),
    emoji: among('skip', 'name'),
    spoilers: among('skip', 'word', 'read'),
    code: among('skip', 'word', 'read'),
    language: among('auto', 'en', 'ja', 'ko'),
    maxLength: among(10, 30, 60),
    skipPrefix: among(';', '', '!'),
    speedsUp: maybe(0.8)
  }
}

/** Why a post can't be read, whatever it says: who wrote it and where decide that. */
export function whyNot(place: Place, channel: Place['channels'][number], person: string, kind: Post['kind']): string | undefined {
  const { settings } = place
  if (!channel.isRead) return 'notRead'
  if (kind === 'system') return 'system'
  if (kind === 'webhook') return settings.readsWebhooks ? undefined : 'webhook'
  if (kind === 'bot') return settings.readsBots ? undefined : 'bot'
  if (place.isMuted(person)) return place.people.at(-1) === person ? 'mutedByManager' : 'mutedBySelf'
  if (settings.readerRoleId !== null && !place.people.slice(0, PEOPLE / 2).includes(person)) return 'role'
  return settings.onlyInVoice && !place.isIn(person) ? 'notInVoice' : undefined
}
