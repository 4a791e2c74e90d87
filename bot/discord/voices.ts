import type { AutocompleteInteraction } from 'discord.js'
import fuzzysort from 'fuzzysort'
import { LANGUAGES, languageOf, translator } from '../i18n/index.ts'
import { languageName } from '../i18n/language-name.ts'
import { mayHaveVoice } from '../nodes/pick.ts'
import type { Pool } from '../nodes/pool.ts'
import { ANY_VOICE } from '../wire/node.ts'
import type { Voice } from '../wire/node.ts'
import { cut } from './respond.ts'

/** Discord's bounds of autocomplete. */
const CHOICES_MAX = 25
const CHOICE_MAX_CHARS = 100

/** Close enough to be meant, of 0 to 1. */
const SCORE_MIN = 0.2

/** Every voice that the pool's nodes have told of, once each, by name; not the automatic one. */
export function voicesOf(pool: Pick<Pool, 'nodes'>): readonly Voice[] {
  const told = pool.nodes().flatMap(({ health, voices }) => (health.state === 'gone' || voices === undefined ? [] : [voices]))
  const before = lists.get(pool)
  if (before?.told.length === told.length && told.every((voices, index) => voices === before.told[index])) return before.all
  const all = new Map<string, Voice>()
  for (const voice of told.flat()) if (voice.id !== ANY_VOICE && !all.has(voice.id)) all.set(voice.id, voice)
  const list = { told, all: [...all.values()].sort((a, b) => byName.compare(a.name, b.name) || byName.compare(a.id, b.id)) }
  lists.set(pool, list)
  return list.all
}

/** The newest list of each pool, with what it was made of: it is asked for at every letter that somebody types. */
const lists = new WeakMap<object, { told: readonly (readonly Voice[])[]; all: readonly Voice[] }>()
const byName = new Intl.Collator('en', { numeric: true })

/** The voices that somebody means who typed this, best first: by name, id, language (in any of ours) or engine, with letters left out. */
export function findVoices(typed: string, voices: readonly Voice[], limit = CHOICES_MAX): Voice[] {
  return fuzzysort.go(typed, voices, { key: searched, limit, threshold: SCORE_MIN }).map(({ obj }) => obj)
}

/** What is searched of a voice; kept with it, since somebody types a letter every moment. */
const prepared = new WeakMap<Voice, ReturnType<typeof fuzzysort.prepare>>()

function searched(voice: Voice) {
  const there = prepared.get(voice)
  if (there !== undefined) return there
  const { name, id, language, engine } = voice
  const target = fuzzysort.prepare([name, id, language, ...LANGUAGES.map((locale) => languageName(language, locale)), engine].join(' '))
  prepared.set(voice, target)
  return target
}

/** Voices that are close to a name that is none: what is found by its words, or else by ever less of its end. */
export function closeVoices(typed: string, voices: readonly Voice[], limit = 3): Voice[] {
  for (let words = typed.replace(/[^\p{L}\p{N}]+/gu, ' ').trim(); words.length >= 2; words = words.slice(0, -1).trim()) {
    const found = findVoices(words, voices, limit)
    if (found.length > 0) return found
  }
  return []
}

/** The id of the voice that was asked for by id, or by its whole name where only one has it. A node that has told nothing yet may have any. */
export function voiceIdOf(typed: string, pool: Pick<Pool, 'nodes'>): { ok: true; id: string } | { ok: false; close: Voice[] } {
  const asked = typed.trim()
  const alike = (text: string) => text.toLowerCase() === asked.toLowerCase()
  if (alike(ANY_VOICE)) return { ok: true, id: ANY_VOICE }
  const voices = voicesOf(pool)
  const exact = voices.find(({ id }) => id === asked) ?? voices.find(({ id }) => alike(id))
  const named = voices.filter(({ name }) => alike(name))
  const meant = exact ?? (named.length === 1 ? named[0] : undefined)
  if (meant !== undefined) return { ok: true, id: meant.id }
  const mayExist = /^\S{1,128}$/.test(asked) && pool.nodes().some((node) => node.health.state !== 'gone' && mayHaveVoice(node, asked))
  return mayExist ? { ok: true, id: asked } : { ok: false, close: closeVoices(asked, voices) }
}

/** Answers the autocomplete of a voice: by what was typed, or else the automatic one and then those of the member's language. */
export async function suggestVoices(interaction: AutocompleteInteraction<'cached'>, { pool }: { pool: Pool }): Promise<void> {
  const typed = interaction.options.getFocused().trim()
  const t = translator(interaction.locale)
  const voices = voicesOf(pool).filter(({ id }) => id.length <= CHOICE_MAX_CHARS)
  const automatic = { name: t('voice.automatic'), value: ANY_VOICE }
  const found = typed === '' ? ownLanguageFirst(voices, interaction.locale) : findVoices(typed, voices)
  const choices = found.map((voice) => ({ name: cut(labelOf(voice, interaction.locale), CHOICE_MAX_CHARS), value: voice.id }))
  const isAutomatic = typed === '' || automatic.name.toLowerCase().startsWith(typed.toLowerCase()) || ANY_VOICE.startsWith(typed.toLowerCase())
  await interaction.respond([...(isAutomatic ? [automatic] : []), ...choices].slice(0, CHOICES_MAX))
}

function ownLanguageFirst(voices: readonly Voice[], locale: string): Voice[] {
  const own = (voice: Voice) => voice.language.split('-')[0] === languageOf(locale)
  return [...voices.filter(own), ...voices.filter((voice) => !own(voice))]
}

function labelOf({ name, language, engine }: Voice, locale: string): string {
  return `${name} · ${languageName(language, locale)} · ${engine}`
}
