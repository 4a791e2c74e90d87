import { describe, expect, it } from 'vitest'
import { FAULTS } from '../../core/errors.ts'
import type { NodeState, Snapshot } from './snapshot.ts'

/** The page's modules are plain JavaScript, loaded here as the browser loads them. */
const load = async <Module>(name: string) => (await import(new URL(`site/${name}`, import.meta.url).href)) as Module

type Word = string | ((args: Record<string, unknown>) => string)
interface Speech {
  has: (key: string) => boolean
  fault: (code: string) => string
  seconds: (ms: number) => string
  ago: (ms: number) => string
}

const { LANGUAGES, speaking } = await load<{ LANGUAGES: Record<string, { words: Record<string, Word> }>; speaking: (language: string) => Speech }>('language.js')
const english = LANGUAGES['en']!.words
const CODES = ['en', 'ja', 'ko']

/** As the page gives them: each sentence takes what it needs. */
const ARGS = {
  part: 3, all: 1_200, number: 2, members: 4, moved: 5, waiting: 1, sum: 1_204, failed: 3, most: 31, seconds: '12', time: '14:02', version: '1.2.3', node: 'NODE', act: 'ACT', code: 'CODE', kind: 'KIND', what: 'WHAT',
  why: 'WHY', ago: 'AGO', name: 'NAME', value: 7, values: 'VALUES', median: 'MEDIAN', slow: 'SLOW'
}
const told = (word: Word) => (typeof word === 'function' ? word(ARGS) : word)

describe('the words of the status page', () => {
  it('are there in three languages', () => {
    expect(Object.keys(LANGUAGES)).toEqual(CODES)
  })

  it.each(['ja', 'ko'])('are complete: %s', (language) => {
    const { words } = LANGUAGES[language]!
    expect(Object.keys(words).sort()).toEqual(Object.keys(english).sort())
    expect(Object.entries(words).filter(([key, word]) => typeof word !== typeof english[key]).map(([key]) => key)).toEqual([])
  })

  it.each(['ja', 'ko'])('tell as much of what they are given as the English ones: %s', (language) => {
    const { words } = LANGUAGES[language]!
    const marks = (text: string) => Object.values(ARGS).filter((value) => typeof value === 'string' && /^[A-Z]+$/.test(value) && text.includes(value))
    expect(Object.keys(words).filter((key) => marks(told(words[key]!)).join() !== marks(told(english[key]!)).join())).toEqual([])
  })

  it.each(CODES)('have no hole: %s', (language) => {
    const holes = Object.entries(LANGUAGES[language]!.words).filter(([, word]) => told(word).trim() === '' || /undefined|NaN|null|\[object/.test(told(word)))
    expect(holes).toEqual([])
  })

  it.each(['ja', 'ko'])('are no English ones left over: %s', (language) => {
    const { words } = LANGUAGES[language]!
    const own = language === 'ja' ? /[\u3040-\u30ff\u4e00-\u9fff]/ : /[\uac00-\ud7af]/
    const alike = Object.entries(words).filter(([, word]) => !own.test(told(word))).map(([key]) => key)
    // Names, numbers and signs alone.
    expect(alike).toEqual(alike.filter((key) => ['page.version', 'stat.of', 'stat.whole', 'node.fault', 'charts.value', 'charts.pair', 'event.because', 'event.other', 'act.of'].includes(key)))
  })

  it('name every state, every event and every fault of a node', () => {
    const states = { joining: 0, ready: 0, suspect: 0, resting: 0, gone: 0, disabled: 0, draining: 0, trial: 0, stale: 0 } satisfies Record<NodeState, 0>
    const pool = { ok: 0, degraded: 0, down: 0, empty: 0 } satisfies Record<Snapshot['state'], 0>
    const events = {
      started: 0, node_joined: 0, node_left: 0, node_ready: 0, node_resting: 0, node_stale: 0, node_enabled: 0, node_disabled: 0, node_draining: 0, node_tested: 0, registry_lost: 0, registry_back: 0, pool_down: 0, pool_back: 0
    } satisfies Record<Snapshot['events'][number]['kind'], 0>
    const faults = Object.keys(FAULTS).filter((code) => code.startsWith('NODE_')).concat('MUTE')
    const keys = [...Object.keys(states).map((state) => `state.${state}`), ...Object.keys(pool).map((state) => `verdict.${state}`), ...Object.keys(events).map((kind) => `event.${kind}`), ...faults.map((code) => `fault.${code}`)]
    expect(keys.filter((key) => !speaking('en').has(key))).toEqual([])
  })

  it('call what they do not know by its code, also where that is the name of something else', () => {
    for (const code of ['NEW_FAULT', 'other', 'constructor', '__proto__']) expect(speaking('en').fault(code)).toBe(`fault \u2068${code}\u2069`)
  })

  it('have one member and two members, in English', () => {
    const members = english['node.members'] as (args: object) => string
    expect([members({ part: 0, all: 1 }), members({ part: 0, all: 2 })]).toEqual(['0 of 1 member', '0 of 2 members'])
  })

  it('make no numbers of nothing', () => {
    const sum = english['charts.requests.sum'] as (args: object) => string
    expect(sum({ sum: 0, failed: 0, most: 0 })).toBe('No request came.')
    expect(sum({ sum: 1, failed: 0, most: 1 })).toBe('1 request, 0 failed; at most 1 in half a minute.')
  })

  it('say times as people read them', () => {
    const { seconds, ago } = speaking('en')
    expect([1.23, 42, 99.6, 100, 1_449, 12_400].map(seconds)).toEqual(['1.2 ms', '42 ms', '100 ms', '0.10 s', '1.4 s', '12 s'])
    expect([-5, 59_999, 60_000, 7_200_000, 200_000_000].map(ago)).toEqual(['0s ago', '59s ago', '1m ago', '2h ago', '2d ago'])
    expect(speaking('ja').ago(12_000)).toBe('12 秒前')
  })
})
