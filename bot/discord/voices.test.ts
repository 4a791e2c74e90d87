import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PoolNode } from '../nodes/node.ts'
import type { Voice } from '../wire/node.ts'
import { closeVoices, findVoices, voiceIdOf, voicesOf } from './voices.ts'

const voice = (id: string, name: string, language: string, engine: string): Voice => ({ id, name, language, engine })
const VOICES = [
  voice('af_heart', 'Heart', 'en-US', 'kokoro'),
  voice('voicevox-3', 'ずんだもん（ノーマル）', 'ja', 'voicevox'),
  voice('voicevox-2', '四国めたん', 'ja', 'voicevox'),
  voice('espeak:en-gb', 'English (Great Britain)', 'en-GB', 'espeak'),
  voice('mei', 'Mei', 'ja', 'openjtalk'),
  voice('yuna', '유나', 'ko', 'kokoro')
]

/** A pool of nodes with these voices; undefined is a node that has not told. */
function poolOf(...nodes: { voices: readonly Voice[] | undefined; state?: 'ready' | 'gone' }[]) {
  return { nodes: () => nodes.map(({ voices, state = 'ready' }) => ({ voices, health: { state } }) as PoolNode) }
}

const ids = (voices: readonly Voice[]) => voices.map(({ id }) => id)

describe('the voices of the pool', () => {
  it('are each named once, by name, without those of nodes that are gone', () => {
    const pool = poolOf({ voices: [VOICES[4]!, VOICES[0]!] }, { voices: [VOICES[0]!] }, { voices: undefined }, { voices: [VOICES[5]!], state: 'gone' })
    expect(ids(voicesOf(pool))).toEqual(['af_heart', 'mei'])
  })

  it.each([
    ['hart', 'af_heart'],
    ['heart en', 'af_heart'],
    ['af_heart', 'af_heart'],
    ['ずんだ', 'voicevox-3'],
    ['めたん', 'voicevox-2'],
    ['british', 'espeak:en-gb'],
    ['jtalk', 'mei'],
    ['유나', 'yuna'],
    ['korean', 'yuna'],
    ['韓国語', 'yuna'],
    ['한국어', 'yuna']
  ])('are found by %s', (typed, id) => {
    expect(ids(findVoices(typed, VOICES))[0]).toBe(id)
  })

  it.each(['japanese', '日本語', '일본어'])('are found by their language in any of ours: %s', (typed) => {
    expect(ids(findVoices(typed, VOICES)).sort()).toEqual(['mei', 'voicevox-2', 'voicevox-3'])
  })

  it('are at most 25, all of them known, whatever is typed', () => {
    const many = Array.from({ length: 100 }, (_, index) => voice(`v${index}`, `Voice ${index}`, 'en', 'e'))
    expect(findVoices('voice', many).length).toBe(25)
    fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (typed) => findVoices(typed, many).length <= 25 && closeVoices(typed, many).length <= 3))
  })
})

describe('a voice that was asked for', () => {
  const pool = poolOf({ voices: VOICES })
  it.each([
    ['af_heart', 'af_heart'],
    ['AF_HEART', 'af_heart'],
    [' Mei ', 'mei'],
    ['유나', 'yuna'],
    ['AUTO', 'auto']
  ])('%j is %s', (typed, id) => {
    expect(voiceIdOf(typed, pool)).toEqual({ ok: true, id })
  })

  it.each([
    ['af-heart', 'af_heart'],
    ['heart2', 'af_heart'],
    ['Mei Mei', 'mei'],
    ['voicevox-9', 'voicevox-2']
  ])('%j is none, and what is close is named', (typed, id) => {
    const found = voiceIdOf(typed, pool)
    expect(!found.ok && ids(found.close)).toContain(id)
  })

  it('is none without anything close, when nothing is', () => {
    expect(voiceIdOf('zzz', pool)).toEqual({ ok: false, close: [] })
    expect(voiceIdOf('  ', pool)).toEqual({ ok: false, close: [] })
  })

  it('may exist where a node has not told its voices; a name with spaces can be no id', () => {
    const silent = poolOf({ voices: VOICES }, { voices: undefined })
    expect(voiceIdOf('nova', silent)).toEqual({ ok: true, id: 'nova' })
    expect(voiceIdOf('no such', silent).ok).toBe(false)
    expect(voiceIdOf('nova', poolOf({ voices: undefined, state: 'gone' })).ok).toBe(false)
  })
})
