import { describe, expect, it } from 'vitest'
import type { OpusStream } from '../audio/ogg.ts'
import { VoxError } from '../core/errors.ts'
import { manualClock } from '../core/manual-clock.ts'
import type { NodeHealth } from '../nodes/health.ts'
import type { PoolNode } from '../nodes/node.ts'
import type { Voice } from '../wire/node.ts'
import { preferringRelay } from './preferring.ts'

const audio: OpusStream = { packets: [Uint8Array.of(0xf8)], channels: 1, preSkip: 0, durationMs: 20 }
const heart: Voice = { id: 'heart', name: 'Heart', language: 'en', engine: 'kokoro' }

type State = 'ready' | 'resting' | 'gone'

/** Two nodes, of which the first alone has the voice; and a relay that is settled by hand. */
function setUp(states: { withVoice: State; other: State }) {
  const clock = manualClock()
  const node = (serverId: string, voices: readonly Voice[] | undefined, state: State) => ({ serverId, voices, health: { state, answered: false } as NodeHealth }) as PoolNode
  const nodes = () => [node('a', [heart], states.withVoice), node('b', [], states.other)]
  const usable = (serverId: string) => nodes().find((each) => each.serverId === serverId && each.health.state === 'ready')
  const asked: { voice: string; resolve: () => void; reject: (error: Error) => void }[] = []
  const missing: string[] = []
  const relay = preferringRelay(
    {
      clock,
      pool: { nodes, usable },
      relay: ({ voice }, { signal }) =>
        new Promise((resolve, reject) => {
          asked.push({ voice, resolve: () => resolve(audio), reject })
          signal?.addEventListener('abort', () => reject(signal.reason as Error))
        })
    },
    (voice) => missing.push(voice)
  )
  const say = (voice: string, signal?: AbortSignal) =>
    relay({ model: 'voxpool', input: 'Hello.', voice, response_format: 'opus', speed: 1 }, { deviceId: 'd', requestId: 'r', ...(signal && { signal }) })
  return { states, clock, asked, missing, say, voices: () => asked.map(({ voice }) => voice) }
}

describe('a preferred voice', () => {
  it('speaks while a node has it', async () => {
    const { say, asked, missing, voices, clock } = setUp({ withVoice: 'ready', other: 'ready' })
    const said = say('heart')
    asked[0]?.resolve()
    expect([await said, voices(), missing, clock.pending()]).toEqual([audio, ['heart'], [], 0])
  })

  it.each(['resting', 'gone'] as const)('is replaced at once where its node is %s', async (withVoice) => {
    const { say, asked, missing, voices } = setUp({ withVoice, other: 'ready' })
    const said = say('heart')
    asked[0]?.resolve()
    expect([await said, voices(), missing]).toEqual([audio, ['auto'], ['heart']])
  })

  it('is replaced when its node dies while it is waited for', async () => {
    const { say, asked, missing, voices, clock, states } = setUp({ withVoice: 'ready', other: 'ready' })
    const said = say('heart')
    await clock.advance(1_000)
    expect(voices()).toEqual(['heart'])
    states.withVoice = 'resting'
    await clock.advance(1_000)
    asked[1]?.resolve()
    expect([await said, voices(), missing, clock.pending()]).toEqual([audio, ['heart', 'auto'], ['heart'], 0])
  })

  it('is replaced when nobody turns out to have it', async () => {
    const { say, asked, voices } = setUp({ withVoice: 'ready', other: 'ready' })
    const said = say('heart')
    asked[0]?.reject(new VoxError('VOICE_UNKNOWN'))
    await new Promise(setImmediate)
    asked[1]?.resolve()
    expect([await said, voices()]).toEqual([audio, ['heart', 'auto']])
  })

  it('is kept where no other node could speak either', async () => {
    const { say, asked, voices } = setUp({ withVoice: 'resting', other: 'resting' })
    const said = say('heart')
    asked[0]?.resolve()
    expect([await said, voices()]).toEqual([audio, ['heart']])
  })

  it('that fails for another reason, or is given up, is not tried with another', async () => {
    const { say, asked, voices } = setUp({ withVoice: 'ready', other: 'ready' })
    const refused = say('heart')
    asked[0]?.reject(new VoxError('TEXT_REFUSED'))
    await expect(refused).rejects.toMatchObject({ code: 'TEXT_REFUSED' })
    const abort = new AbortController()
    const cancelled = say('heart', abort.signal)
    abort.abort(new VoxError('CANCELLED'))
    await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(voices()).toEqual(['heart', 'heart'])
  })
})
