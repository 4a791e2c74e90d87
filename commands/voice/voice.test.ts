import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { translator } from '../../bot/i18n/index.ts'
import type { PoolNode } from '../../bot/nodes/node.ts'
import { SpeechRequest } from '../../bot/wire/node.ts'
import type { Voice } from '../../bot/wire/node.ts'
import { listOf } from './list.ts'
import { soundOfButton } from './preview.ts'
import { sampleFor } from './sample.ts'
import { soundOptions } from './sound-options.ts'

const t = translator('en')
const takes = (part: object) => SpeechRequest.safeParse({ input: '-', ...part }).success

describe('the options of a sound', () => {
  it.each(['speed', 'pitch', 'volume'])('%s has the bounds of contract 2', (name) => {
    const { min_value: min = Number.NaN, max_value: max = Number.NaN } = soundOptions.find((option) => option.name === name) as { min_value?: number; max_value?: number }
    expect([min, max].map((value) => takes({ [name]: value }))).toEqual([true, true])
    expect([min - 0.01, max + 0.01].map((value) => takes({ [name]: value }))).toEqual([false, false])
  })
})

describe('the button that keeps a voice', () => {
  const sound = fc.record(
    {
      speed: fc.integer({ min: 25, max: 400 }).map((value) => value / 100),
      pitch: fc.integer({ min: -120, max: 120 }).map((value) => value / 10),
      volume: fc.integer({ min: 0, max: 200 }).map((value) => value / 100),
      voice: fc.stringMatching(/^[a-z:_-]{1,40}$/)
    },
    { requiredKeys: ['voice'] }
  )
  it('keeps just what was tried', () => {
    fc.assert(
      fc.property(sound, ({ voice, speed, pitch, volume }) => {
        const parts = [speed, pitch, volume, voice].join(':').split(':')
        const kept = Object.fromEntries(Object.entries({ voice, speed, pitch, volume }).filter(([, value]) => value !== undefined))
        expect(soundOfButton(parts)).toEqual(kept)
      })
    )
  })

  it.each([[['1', '', '']], [['fast', '', '', 'v']], [['9', '', '', 'v']], [['', '-13', '', 'v']], [['', '', '', 'a b']]])('is none of ours: %j', (parts) => {
    expect(soundOfButton(parts)).toBeUndefined()
  })
})

describe('the list of voices', () => {
  const poolOf = (voices: readonly Voice[]) => ({ nodes: () => [{ voices, health: { state: 'ready' } } as PoolNode] })
  const voices = fc.uniqueArray(
    fc.record({
      id: fc.stringMatching(/^[a-z0-9_`]{1,128}$/),
      name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 128 }),
      language: fc.constantFrom('en', 'en-GB', 'ja', 'ko', 'mul', 'qaa', 'zh-Hant'),
      engine: fc.constantFrom('kokoro', 'es*peak')
    }),
    { selector: ({ id }) => id, minLength: 1, maxLength: 120 }
  )

  it('names every voice on one of its pages, each within Discord’s bounds', () => {
    fc.assert(
      fc.property(voices, (all) => {
        const pool = poolOf(all)
        const count = Number(/of (\d+)/.exec(listOf(pool, 'en', t, 0).content)?.[1])
        const pages = Array.from({ length: count }, (_, page) => listOf(pool, 'en', t, page))
        expect(pages.every(({ content, components }) => content.length <= 2000 && components?.length === (count > 1 ? 1 : 0))).toBe(true)
        expect(pages.reduce((sum, { content }) => sum + (content.match(/ · (?:kokoro|es\\\*peak)$/gm)?.length ?? 0), 0)).toBe(all.length)
        expect(listOf(pool, 'en', t, 1e9).content).toBe(pages.at(-1)?.content)
      }),
      { numRuns: 40 }
    )
  })

  it('begins with the member’s language', () => {
    const pool = poolOf([{ id: 'a', name: 'Ann', language: 'en', engine: 'e' }, { id: 'm', name: 'Mei', language: 'ja', engine: 'e' }])
    expect(listOf(pool, 'ja', translator('ja'), 0).content.split('\n')[1]).toBe('**日本語**')
    expect(listOf(pool, 'en-US', t, 0).content.split('\n')[1]).toBe('**English**')
  })
})

describe('the sentence to try a voice with', () => {
  it.each([
    ['ja', 'en', /こんにちは/],
    ['en-GB', 'ja', /Hello/],
    ['mul', 'ko', /안녕/],
    [undefined, 'ja', /こんにちは/],
    ['sw', 'fr', /Bonjour/],
    ['sw', 'sw', /Hello/],
    ['toString', 'en', /Hello/]
  ])('%s for %s', (voice, locale, sentence) => {
    expect(sampleFor(voice, locale)).toMatch(sentence)
  })
})
