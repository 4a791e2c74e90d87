import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Call } from '../../gas/call.ts'
import { manualClock } from '../core/manual-clock.ts'
import { Answer, ERROR_CODES, ListAnswer, parseServers } from '../wire/registry.ts'
import { backEnds } from './back-ends.ts'
import type { BackEnd } from './back-ends.ts'

/** The same inputs in every run, so that their number can stand in the names of the tests. */
const sample = <T>(values: fc.Arbitrary<T>, count: number): T[] => fc.sample(values, { numRuns: count, seed: 4 })
const ACTIONS = ['register', 'heartbeat', 'unregister', 'setEnabled', 'rename', 'presence']
const good: Record<string, object> = {
  register: { serverId: 'n', apiUrl: 'https://a.example', label: 'L', color: 'red', capacity: 5, concurrency: 1, instanceId: 'i', voices: ['v'] },
  heartbeat: { serverId: 'n', apiUrl: 'https://a.example', instanceId: 'i', capacity: 5 },
  unregister: { serverId: 'n', instanceId: 'i' },
  setEnabled: { serverId: 'n', enabled: true },
  rename: { serverId: 'n', label: 'L' },
  presence: { devices: [{ deviceId: 'd', serverId: 'n' }] }
}
const wrong: unknown[] = [null, true, -1, 0.5, 1e308, '', ' ', 'a b', 'x'.repeat(600), [], [[]], {}, { length: 1 }, '\u202e', '\u0000', '\ud800', ['x'.repeat(200)]]
const prototypeKeys = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf']
const formulas = ['=1+1', '+1+1', '-1+1', '@SUM(A1)', '=IMPORTXML("https://x.example","//a")', "'=1", '\t=1', '＝1+1', '=cmd|x!A1', '{=1}']
const post = (action: string, body: string): Call => ({ method: 'POST', query: { action }, body })

/** Inputs by their kind, and whether each must be refused or may also be welcome. */
const kinds: Record<string, { calls: Call[]; isRefused: boolean }> = {
  'of fuzzed JSON': {
    calls: sample(fc.tuple(fc.constantFrom(...ACTIONS), fc.json()), 120).map(([action, body]) => post(action, body)),
    isRefused: true
  },
  'of text that is no JSON': {
    calls: sample(fc.tuple(fc.constantFrom(...ACTIONS), fc.string({ minLength: 1 })), 60).map(([action, text]) => post(action, `{${text}`)),
    isRefused: true
  },
  'with one field of a wrong type': {
    calls: ACTIONS.flatMap((action) =>
      Object.keys(good[action] ?? {}).flatMap((field) => wrong.map((value) => post(action, JSON.stringify({ ...good[action], [field]: value }))))
    ),
    // Some are right for their field: an empty colour, no tunnel, a list of nothing.
    isRefused: false
  },
  'of a megabyte, or as deep as that': {
    calls: ACTIONS.flatMap((action) => [
      post(action, JSON.stringify({ ...good[action], pad: 'x'.repeat(1_000_000) })),
      post(action, '['.repeat(400_000)),
      post(action, '{"a":'.repeat(150_000)),
      post(action, '\u3042'.repeat(1_200_000)),
      post(action, `{"serverId":"${'x'.repeat(900_000)}"}`)
    ]),
    isRefused: true
  },
  'with keys of a prototype': {
    calls: [
      ...prototypeKeys.flatMap((key) => ACTIONS.map((action) => post(action, `{"${key}":${JSON.stringify(good[action])}}`))),
      ...prototypeKeys.map((key) => post(key, '{}')),
      ...prototypeKeys.map((key): Call => ({ method: 'GET', query: Object.fromEntries([[key, 'list']]) }))
    ],
    isRefused: true
  },
  'with formulas in every text': {
    calls: formulas.flatMap((text) => [
      post('register', JSON.stringify({ serverId: text, label: text, color: text, instanceId: text, apiUrl: 'https://a.example' })),
      post('register', JSON.stringify({ serverId: text, label: text, instanceId: text, voices: [text], apiUrl: 'https://a.example' })),
      post('register', JSON.stringify({ serverId: 'formula', apiUrl: text })),
      post('register', JSON.stringify({ serverId: text, apiUrl: `https://a.example/${text}` })),
      post('presence', JSON.stringify({ devices: [{ deviceId: text, serverId: text }] })),
      post('heartbeat', JSON.stringify({ serverId: text, instanceId: `${text}1` }))
    ]),
    isRefused: false
  },
  'with a strange query': {
    calls: sample(fc.record({ method: fc.constantFrom<Call['method']>('GET', 'POST'), query: fc.dictionary(fc.string(), fc.string()) }), 60),
    isRefused: true
  }
}
const count = Object.values(kinds).reduce((sum, { calls }) => sum + calls.length, 0)

describe.each(Object.entries(backEnds))(`${String(count)} bad inputs, given to %s`, (_name, start) => {
  let back: BackEnd
  beforeAll(async () => void (back = await start(manualClock(), '')))
  // Fails when a cell has run, or when the script has printed a fault.
  afterAll(() => back.close())

  it.each(Object.entries(kinds).map(([kind, { calls, isRefused }]) => ({ kind, calls, isRefused, number: calls.length })))(
    '$number $kind: nothing crashes, and every refusal has a code',
    async ({ calls, isRefused }) => {
      for (const call of calls) {
        const answer = Answer.parse(await back.call(call))
        const shown = `${call.query['action'] ?? ''} ${(call.body ?? '').slice(0, 80)}`
        if (isRefused) expect(answer.ok, shown).toBe(false)
        if (!answer.ok) {
          expect(ERROR_CODES, shown).toContain(answer.error.code)
          expect(answer.error.code, shown).not.toBe('internal')
        }
      }
      const list = ListAnswer.parse(await back.call({ method: 'GET', query: { action: 'list' } }))
      expect(parseServers(list.servers).badRows).toBe(0)
    }
  )

  it('leave it as able as before', async () => {
    expect(await back.call(post('register', JSON.stringify({ ...good['register'], serverId: 'after' })))).toMatchObject({ ok: true })
    expect((await back.registry.list()).servers.map(({ serverId }) => serverId)).toContain('after')
  })
})
