import { expect, it } from 'vitest'
import type { OpusStream } from '../audio/ogg.ts'
import type { SpeechRequest } from '../wire/node.ts'
import type { Relay } from './relay.ts'
import { speak } from './speak.ts'

const audio: OpusStream = { packets: [], channels: 1, preSkip: 0, durationMs: 0 }

/** A relay that answers at once, and what was asked of it. */
function listening() {
  const asked: SpeechRequest[] = []
  const relay: Relay = async (ask) => {
    asked.push(ask)
    return audio
  }
  return { asked, relay }
}

async function heard(given: Omit<Parameters<typeof speak>[1], 'deviceId'>): Promise<SpeechRequest[]> {
  const { asked, relay } = listening()
  const streams = []
  for await (const stream of speak(relay, { ...given, deviceId: 'd' }).audio) streams.push(stream)
  expect(streams).toHaveLength(asked.length)
  return asked
}

it('an utterance asks for its segments in order, in the voice and the language that it was given', async () => {
  const sound = { voice: 'v', speed: 1.5, pitch: -2, volume: 0.5 }
  const asked = await heard({ text: 'This is the first sentence of it all. And this is the second one, which is longer.', sound, language: 'en' })
  expect(asked.map(({ input }) => input)).toEqual(['This is the first sentence of it all. ', 'And this is the second one, which is longer.'])
  for (const ask of asked) expect(ask).toMatchObject({ ...sound, language: 'en', response_format: 'opus' })
})

it('leaves to the node what nobody chose', async () => {
  expect(await heard({ text: 'Hello.' })).toEqual([{ model: 'voxpool', input: 'Hello.', voice: 'auto', response_format: 'opus', speed: 1 }])
})

it.each([
  [1, 1.5, 1.5],
  [2, 1.5, 3],
  [3, 2, 4],
  [0.25, 0.5, 0.25]
])('at speed %d and a factor of %d is spoken at %d', async (speed, speedFactor, spoken) => {
  const [ask] = await heard({ text: 'Hello.', sound: { speed }, speedFactor })
  expect(ask?.speed).toBe(spoken)
})

it('asks for nothing where a piece has no sound', async () => {
  expect((await heard({ text: `Hello there everybody, how are you?\n${'. '.repeat(200)}` })).every(({ input }) => /\w/.test(input))).toBe(true)
})
