import { describe, expect, it } from 'vitest'
import { sentences, translator } from './index.ts'
import type { Key } from './index.ts'

const { en, ja, ko } = sentences

/** Every argument that any sentence takes, each recognisable. */
const ARGS: Record<string, unknown> = {
  channel: '<#1>', ahead: 603, seconds: '60.5', max: 2000, count: 707, mark: '🔵', name: '§name', id: '§id', state: '§state', load: '§load', seen: '§seen', code: '§code',
  done: 618, ago: '§ago', active: '§active', capacity: 610, ready: 604, all: 606, heard: '611', failed: '612', moved: '613', list: '§list', inFlight: 614, median: '§median', slow: '§slow', hedges: '615', cached: '616', why: '§why', text: '<#2>', site: '§site', from: '§from', value: '§value', page: 617, pages: 619, place: 622, say: '§say', licence: '§licence', credit: '§credit', prefix: '§prefix', role: '<@&1>', min: 620, minutes: 621, of: '§of', entry: '§entry', was: '§was', added: 623, changed: 624, same: 625, removed: 626
}

describe.each(Object.keys(en) as Key[])('%s', (key) => {
  it('says the same things in every language', () => {
    const all = [en, ja, ko].map((language) => (language[key] as (args: typeof ARGS) => string)(ARGS))
    const said = all.map((sentence) => Object.values(ARGS).filter((value) => sentence.includes(String(value))).length)
    expect(all.every((sentence) => sentence.trim().length > 1)).toBe(true)
    expect(new Set(said).size).toBe(1)
  })
})

describe('the language', () => {
  it.each([
    ['ja', ja['skip.done']()],
    ['ko', ko['skip.done']()],
    ['en-GB', en['skip.done']()],
    ['fr', en['skip.done']()],
    ['constructor', en['skip.done']()]
  ])('of %s', (locale, sentence) => {
    expect(translator(locale)('skip.done')).toBe(sentence)
  })
})
