import { describe, expect, it } from 'vitest'
import { FAULTS, VoxError } from '../../core/errors.ts'
import type { FaultCode } from '../../core/errors.ts'
import type { PoolNode } from '../../nodes/node.ts'
import { Health } from '../../wire/node.ts'
import type { LoggedRequest, Voice } from '../../wire/node.ts'
import { poolHealth } from './pool-health.ts'
import { createRequestBook } from './request-book.ts'
import { readSpeechAsk } from './speech-ask.ts'
import { toldFault } from './told-fault.ts'
import { poolVoices, voiceFor } from './voices.ts'

function node(given: Partial<PoolNode> & { serverId: string }): PoolNode {
  return {
    tag: '', color: '', label: '', apiUrl: 'http://127.0.0.1:1', enabled: true, capacity: 10, concurrency: 2, activeCount: 0, ageMs: 0, seenAtMs: 0, health: { state: 'ready' }, stateSinceMs: 0,
    draining: false, inFlight: 0, busyUntilMs: 0, latency: undefined, voices: undefined, about: undefined, faults: [], ...given
  }
}

const poolOf = (...nodes: PoolNode[]) => ({ nodes: () => nodes, usable: (serverId: string) => nodes.find((each) => each.serverId === serverId) })
const voice = (id: string): Voice => ({ id, name: id, language: 'en', engine: 'x' })

describe('a request', () => {
  const read = (body: unknown) => readSpeechAsk(JSON.stringify(body))

  it('needs nothing but a text', () => {
    expect(read({ input: 'Hello.' })).toEqual({ ok: true, ask: { model: 'voxpool', input: 'Hello.', voice: 'auto', response_format: 'mp3', speed: 1 } })
  })

  it('may leave any other field empty', () => {
    const empty = { model: null, voice: null, response_format: null, stream_format: null, speed: null, pitch: null, volume: null, language: null, instructions: null }
    expect(read({ input: 'Hello.', ...empty })).toEqual(read({ input: 'Hello.' }))
    expect(read({ input: null })).toMatchObject({ ok: false, error: { param: 'input' } })
  })

  it.each([
    ['model', 7, 'a name of at most 128 characters'], ['input', ['a'], 'a text of 1 to 4096 characters'], ['voice', 'two words', 'the id of a voice: at most 128 characters without spaces'],
    ['voice', { name: 'x' }, 'the id of a voice: at most 128 characters without spaces'], ['response_format', 'aac', 'one of opus, wav, mp3, flac, pcm'], ['stream_format', 'all', 'audio or sse'],
    ['speed', 4.01, 'a number from 0.25 to 4'], ['speed', 0.249, 'a number from 0.25 to 4'], ['speed', '1', 'a number from 0.25 to 4'], ['pitch', 13, 'a number from -12 to 12'],
    ['volume', -1, 'a number from 0 to 2'], ['language', 'English, please', 'a language tag such as ja or en-US']
  ])('whose %s is %j is told what is expected', (field, value, expected) => {
    expect(read({ input: 'Hello.', [field]: value })).toEqual({ ok: false, error: { status: 400, code: 'invalid_request', message: `${field}: expected ${expected}.`, param: field } })
  })

  it('counts characters as people do', () => {
    expect([read({ input: '🙂'.repeat(4_096) }).ok, read({ input: '🙂'.repeat(4_097) }).ok]).toEqual([true, false])
  })

  it.each([['not json', 'invalid_json'], ['[]', 'invalid_request'], ['null', 'invalid_request'], ['7', 'invalid_request']])('that is no object is refused: %s', (body, code) => {
    expect(readSpeechAsk(body)).toMatchObject({ ok: false, error: { status: 400, code } })
  })
})

describe('a fault', () => {
  it.each(Object.keys(FAULTS) as FaultCode[])('%s is told without its context, and 500 is a bug alone', (code) => {
    const told = toldFault(new VoxError(code, { apiUrl: 'https://secret.example', retryAfterMs: 2_500 }))
    expect(JSON.stringify(told)).not.toContain('secret')
    expect(told.status === 500).toBe(FAULTS[code].kind === 'bug')
    expect(told.retryAfterS !== undefined).toBe(told.status === 429 || told.status === 503)
  })

  it('says of a busy node when to come back', () => {
    expect(toldFault(new VoxError('NODE_BUSY', { retryAfterMs: 2_500 })).retryAfterS).toBe(3)
  })
})

describe('voices', () => {
  it('are those that nodes have told of, once each; those of nodes that are gone are not', () => {
    const pool = poolOf(
      node({ serverId: 'a', voices: [voice('one'), voice('two')] }), node({ serverId: 'b', voices: [voice('two')] }), node({ serverId: 'c', voices: [voice('three')], health: { state: 'gone' } })
    )
    expect(poolVoices(pool)?.map(({ id }) => id)).toEqual(['one', 'two'])
    expect(poolVoices(poolOf(node({ serverId: 'a' })))).toBeUndefined()
  })

  it('of the OpenAI API are any voice, where no node has one of that name', () => {
    const pool = poolOf(node({ serverId: 'a', voices: [voice('alloy')] }))
    expect(['alloy', 'nova', 'Nova', 'else'].map((name) => voiceFor(name, pool))).toEqual(['alloy', 'auto', 'Nova', 'else'])
  })
})

describe('the pool’s health', () => {
  it('adds up the nodes that can speak, within the bounds of contract 2', () => {
    const many = Array.from({ length: 100 }, (_, index) => node({ serverId: `n${String(index)}`, capacity: 5_000, inFlight: 3 }))
    const said = poolHealth(poolOf(...many))
    expect(Health.safeParse(said).success).toBe(true)
    expect(said).toMatchObject({ ok: true, capacity: 100_000, concurrency: 64, inFlight: 200, queued: 100 })
  })

  it.each<[string, Partial<PoolNode>, boolean]>([
    ['has never answered', { health: { state: 'joining', sinceMs: 0 } }, false],
    ['has failed twice', { health: { state: 'suspect', faults: 2 } }, true],
    ['is asked for want of another, and fails', { health: { state: 'suspect', faults: 3 } }, false],
    ['has no voice, since it is there for other services', { voices: [] }, false],
    ['has told its voices', { voices: [voice('one')] }, true]
  ])('with one node that %s', (_, given, ready) => {
    const said = poolHealth(poolOf(node({ serverId: 'a', ...given })))
    expect(Health.safeParse(said).success).toBe(true)
    expect([said.ok, said.ready]).toEqual([ready, ready])
  })
})

describe('the book of requests', () => {
  const entry = (requestId: string): LoggedRequest => ({ requestId, receivedAt: 1, status: 200, durationMs: 1, inputLength: 1 })

  it('keeps the newest thousand, each for whoever sent it', () => {
    const book = createRequestBook()
    for (let index = 0; index <= 1_000; index++) book.add('a', entry(String(index)))
    expect([book.find('a', '0'), book.find('a', '1')?.requestId, book.find('a', '1000')?.requestId, book.find('b', '1')]).toEqual([undefined, '1', '1000', undefined])
  })
})
