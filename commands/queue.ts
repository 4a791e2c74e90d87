import { InteractionContextType } from 'discord.js'
import type { Guild } from 'discord.js'
import { told } from '../bot/discord/command.ts'
import type { Command } from '../bot/discord/command.ts'
import { cut, plain, respond, rowsWithin } from '../bot/discord/respond.ts'
import type { Translate } from '../bot/i18n/index.ts'
import type { Waiting } from '../bot/voice/queue.ts'
import type { Session } from '../bot/voice/session.ts'

/** The first words of each: enough to know it again. */
const WORDS_MAX_CHARS = 40

/** `/queue`: who is being heard and who waits, and when it is the member's own turn. */
export const queue: Command = {
  data: {
    ...told(
      ['queue', '順番', '대기열'],
      ['What is being said and what waits, and when your turn is', '読み上げの順番と、あなたの番を表示します', '말하는 것과 기다리는 것, 내 차례를 보여 줍니다']
    ),
    contexts: [InteractionContextType.Guild]
  },
  async execute(interaction, { sessions, clock }, t) {
    const session = sessions.get(interaction.guildId)
    const content = session === undefined ? t('voice.notHere') : queueOf(session, interaction.guild, interaction.user.id, t)
    await respond(interaction, { content }, clock)
  }
}

function queueOf(session: Session, guild: Guild, userId: string, t: Translate): string {
  const items = session.items()
  if (items.length === 0) return t('queue.none')
  // Place 0 is being heard; the others' turns come when all before them are over.
  const turns = items.map((item, index) => ({
    ...item,
    place: item.playing ? 0 : index + (items[0]?.playing ? 0 : 1),
    inMs: items.slice(0, index).reduce((sum, { remainingMs }) => sum + remainingMs, 0)
  }))
  const rows = turns.map(({ authorId, text, place, inMs, remainingMs, playing }) => {
    const what = { name: nameOf(authorId, guild), text: plain(cut(text, WORDS_MAX_CHARS)) }
    return playing ? t('queue.playing', { ...what, seconds: inSeconds(remainingMs) }) : t('queue.row', { ...what, place, seconds: inSeconds(inMs) })
  })
  const title = t('queue.title', { channel: `<#${session.channelId()}>`, seconds: inSeconds(session.queuedMs()) })
  const list = rowsWithin(rows, (left) => t('queue.more', { count: left }), LIST_MAX_CHARS)
  return [title, list, ownTurn(turns, userId, t)].join('\n')
}

/** Discord takes 2,000 characters a message; the lines around the list need some. */
const LIST_MAX_CHARS = 1700

function ownTurn(turns: readonly (Waiting & { place: number; inMs: number })[], userId: string, t: Translate): string {
  const own = turns.find(({ authorId }) => authorId === userId)
  if (own === undefined) return t('queue.yoursNone')
  return own.playing ? t('queue.yoursNow') : t('queue.yours', { place: own.place, seconds: inSeconds(own.inMs) })
}

function nameOf(userId: string, guild: Guild): string {
  const name = guild.members.cache.get(userId)?.displayName ?? guild.client.users.cache.get(userId)?.displayName
  return name === undefined ? `<@${userId}>` : plain(name)
}

const inSeconds = (ms: number) => String(Math.round(ms / 1000))
