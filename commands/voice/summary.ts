import type { GuildMember } from 'discord.js'
import type { App } from '../../bot/discord/app.ts'
import { plain } from '../../bot/discord/respond.ts'
import { voicesOf } from '../../bot/discord/voices.ts'
import type { Translate } from '../../bot/i18n/index.ts'
import type { Sound } from '../../bot/members/preferences.ts'
import type { Pool } from '../../bot/nodes/pool.ts'
import { isMissing } from '../../bot/speech/preferring.ts'
import { ANY_VOICE } from '../../bot/wire/node.ts'
import { scopeOf } from './scope.ts'
import type { ScopeName } from './scope.ts'

/** Narrowest first: what counts of a field is the first that has it. */
const SCOPES: readonly ScopeName[] = ['here', 'everywhere', 'server']

/** How a member sounds in this server, and whose choice each part of it is. */
export function summaryOf(member: GuildMember, { preferences, pool }: App, t: Translate): string {
  const kept = SCOPES.map((scope) => ({ scope, sound: preferences.get(scopeOf(scope, member)) }))
  const found = <Field extends keyof Sound>(field: Field) => {
    const there = kept.find(({ sound }) => sound[field] !== undefined)
    return { value: there?.sound[field], from: t(`voice.from.${there?.scope ?? 'nobody'}`) }
  }
  const { value: voice = ANY_VOICE, from } = found('voice')
  const number = (field: 'speed' | 'pitch' | 'volume', otherwise: number) => {
    const { value = otherwise, from: whose } = found(field)
    return { value: String(value), from: whose }
  }
  return [
    `**${t('voice.title')}**`,
    t('voice.voice', { name: voiceName(voice, pool, t), from }),
    t('voice.speed', number('speed', 1)),
    t('voice.pitch', number('pitch', 0)),
    t('voice.volume', number('volume', 1)),
    ...(isMissing(voice, pool) ? [t('voice.away', { name: plain(voice) })] : [])
  ].join('\n')
}

/** What people call a voice; its id when no node tells. */
export function voiceName(id: string, pool: Pool, t: Translate): string {
  return id === ANY_VOICE ? t('voice.automatic') : plain(voicesOf(pool).find((voice) => voice.id === id)?.name ?? id)
}
