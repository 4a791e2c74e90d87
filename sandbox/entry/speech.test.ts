import { FLACDecoder } from '@wasm-audio-decoders/flac'
import { MPEGDecoder } from 'mpg123-decoder'
import OpenAI from 'openai'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseOggOpus } from '../../bot/audio/ogg.ts'
import { toneOf } from '../../bot/audio/test-sound.ts'
import { splitText } from '../../bot/speech/segments.ts'
import { packetsFor } from '../fault-node.ts'
import { errorOf, openSpeech } from './speech-stage.ts'
import type { SpeechStage } from './speech-stage.ts'

const TEXT = 'This is the first sentence of several. Here is the second one, which goes on for a good while, as it should, and then on and on until it ends. And here, at the end, the third, which is long enough to stand alone in a request, since it goes on too.'
const RATE_HZ = 24_000

/** Packets of a tone, as long as the text. */
const toneFor = (text: string) => toneOf(Math.max(200, text.length * 20), () => 0.5)

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())
const durationS = splitText(TEXT).reduce((sum, part) => sum + (toneFor(part).length * 960 - 312) / 48_000, 0)

let stage: SpeechStage

beforeEach(async () => {
  stage = await openSpeech({ packetsOf: toneFor })
})

afterEach(() => stage.close())

const FORMATS = ['opus', 'wav', 'mp3', 'flac', 'pcm'] as const

async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array, undefined> {
  if (body !== null) yield* body as AsyncIterable<Uint8Array>
}

/** Seconds of sound in a file, found by decoding all of it. */
async function decodedS(format: (typeof FORMATS)[number], file: Buffer): Promise<number> {
  switch (format) {
    case 'opus': {
      const parsed = parseOggOpus(file)
      if (!parsed.ok) throw new Error(parsed.reason)
      return parsed.stream.durationMs / 1000
    }
    case 'wav':
      expect(file.toString('latin1', 0, 4)).toBe('RIFF')
      return (file.length - 44) / 2 / RATE_HZ
    case 'pcm':
      return file.length / 2 / RATE_HZ
    case 'mp3':
    case 'flac': {
      const decoder = format === 'mp3' ? new MPEGDecoder() : new FLACDecoder()
      await decoder.ready
      const { samplesDecoded, sampleRate, errors } = decoder instanceof FLACDecoder ? await decoder.decodeFile(file) : decoder.decode(file)
      decoder.free()
      expect(errors).toEqual([])
      return samplesDecoded / sampleRate
    }
  }
}

describe('the official client', () => {
  it.each(FORMATS)('has a text spoken as %s, whole', async (response_format) => {
    const response = await stage.client().audio.speech.create({ model: 'tts-1', voice: 'nova', input: TEXT, response_format })
    const file = await bytesOf(response)
    expect([response.status, Number(response.headers.get('content-length'))]).toEqual([200, file.length])
    expect(response.headers.get('content-type')).toBe({ opus: 'audio/ogg', wav: 'audio/wav', mp3: 'audio/mpeg', flac: 'audio/flac', pcm: 'audio/pcm' }[response_format])
    expect(Math.abs((await decodedS(response_format, file)) - durationS)).toBeLessThan(0.15)
    if (response_format === 'wav') expect([file.readUInt32LE(4), file.readUInt32LE(40)]).toEqual([file.length - 8, file.length - 44])
    expect(stage.node.segments().join('')).toBe(TEXT)
    expect(stage.node.received.every(({ how }) => how.voice === 'auto')).toBe(true)
  })

  it.each(FORMATS)('has a text spoken as %s, segment by segment: the first is there before the last is made', async (response_format) => {
    const segments = splitText(TEXT)
    const last = Promise.withResolvers<'none'>()
    stage.node.faultFor = (input) => (input === segments.at(-1) ? last.promise : 'none')
    const response = await stage.client().audio.speech.create({ model: 'tts-1', voice: 'nova', input: TEXT, response_format, stream_format: 'audio' })
    expect(response.headers.get('content-length')).toBeNull()
    const chunks = chunksOf(response)
    const parts = [(await chunks.next()).value ?? new Uint8Array()]
    const firstBytes = Buffer.concat(parts).length
    expect(firstBytes).toBeGreaterThan(0)
    expect(stage.node.received.find(({ input }) => input === segments.at(-1))?.answeredMs ?? 0).toBe(0)
    last.resolve('none')
    for await (const chunk of chunks) parts.push(chunk)
    const file = Buffer.concat(parts)
    expect(file.length).toBeGreaterThan(firstBytes)
    expect(Math.abs((await decodedS(response_format, file)) - durationS)).toBeLessThan(0.15)
  })

  it('has its default format, and what is ours passed on', async () => {
    const more = { pitch: 3, volume: 0.5, language: 'ja', instructions: 'Be kind.', something_else: [1] }
    const response = await stage.client().audio.speech.create({ model: 'gpt-4o-mini-tts', voice: { id: 'marked' }, input: 'One word.', speed: 1.5, ...more })
    expect(response.headers.get('content-type')).toBe('audio/mpeg')
    expect(stage.node.received.map(({ how }) => how)).toEqual([{ voice: 'marked', speed: 1.5, pitch: 3, volume: 0.5, language: 'ja' }])
  })

  it('has a stream as events, which hold the same file', async () => {
    const response = await stage.client().audio.speech.create({ model: 'tts-1', voice: 'nova', input: TEXT, response_format: 'opus', stream_format: 'sse' })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const events = (await response.text()).split('\n\n').filter(Boolean).map((line) => JSON.parse(line.replace(/^data: /, '')) as { type: string; audio?: string })
    expect(events.map(({ type }) => type)).toEqual([...Array<string>(events.length - 1).fill('speech.audio.delta'), 'speech.audio.done'])
    const parsed = parseOggOpus(Buffer.concat(events.map(({ audio = '' }) => Buffer.from(audio, 'base64'))))
    expect(parsed.ok && parsed.stream.packets.length).toBe(splitText(TEXT).flatMap(toneFor).length)
  })

  it('lists voices and models', async () => {
    await expect.poll(() => stage.bot.app.pool.nodes()[0]?.voices?.length).toBe(1)
    const voices: unknown = await stage.client().get('/audio/voices')
    expect(voices).toEqual({ voices: [{ id: 'marked', name: 'Marked', language: 'mul', engine: 'fault' }] })
    const ids: string[] = []
    for await (const { id } of stage.client().models.list()) ids.push(id)
    expect(ids).toEqual(['voxpool'])
    expect((await stage.client().models.retrieve('voxpool')).object).toBe('model')
    await expect(stage.client().models.retrieve('gpt-9')).rejects.toBeInstanceOf(OpenAI.NotFoundError)
  })

  it('aborts what is under way when it leaves', async () => {
    stage.node.fault = 'hang'
    const abort = new AbortController()
    const asked = stage.client().audio.speech.create({ model: 'tts-1', voice: 'nova', input: 'Never said.' }, { signal: abort.signal })
    const failed = expect(asked).rejects.toBeInstanceOf(OpenAI.APIUserAbortError)
    await expect.poll(() => stage.node.inFlight()).toBe(1)
    abort.abort()
    await failed
    await stage.node.idle()
    expect(stage.node.received.map(({ aborted }) => aborted)).toEqual([true])
    expect(stage.bot.app.pool.nodes()[0]?.faults).toEqual([])
  })
})

describe('an error', () => {
  const create = (more: object = {}, client = stage.client()) => client.audio.speech.create({ model: 'tts-1', voice: 'nova', input: 'Hello there.', ...more })
  it.each([
    [{ input: '' }, 400, 'invalid_request', 'input'],
    [{ input: 'a'.repeat(4_097) }, 400, 'invalid_request', 'input'],
    [{ input: 7 }, 400, 'invalid_request', 'input'],
    [{ input: '…' }, 422, 'input_unspeakable', 'input'],
    [{ speed: 9 }, 400, 'invalid_request', 'speed'],
    [{ response_format: 'aac' }, 400, 'invalid_request', 'response_format'],
    [{ stream_format: 'smoke' }, 400, 'invalid_request', 'stream_format'],
    [{ voice: 'two words' }, 400, 'invalid_request', 'voice'],
    [{ input: 'a', instructions: 'x'.repeat(65_536) }, 413, 'too_large', null]
  ])('of the caller, %j, is told with its field', async (more, status, code, param) => {
    const error = await errorOf(create(more))
    expect([error.status, error.code, error.param]).toEqual([status, code, param])
    expect(error.requestID).toMatch(/^[0-9a-f]{16}$/)
    expect(stage.node.received).toEqual([])
  })

  it('names a voice that nobody has', async () => {
    await expect.poll(() => stage.bot.app.pool.nodes()[0]?.voices?.length).toBe(1)
    const error = await errorOf(create({ voice: 'nobody' }))
    expect(error).toBeInstanceOf(OpenAI.BadRequestError)
    expect([error.code, error.param]).toEqual(['voice_not_found', 'voice'])
  })

  it.each([
    ['refuseText', OpenAI.BadRequestError, 400, 'input_refused'],
    ['error', OpenAI.UnprocessableEntityError, 422, 'input_breaks_voices'],
    ['garbage', OpenAI.InternalServerError, 503, 'voices_failed']
  ] as const)('of a node that does “%s” names no address', async (fault, kind, status, code) => {
    stage.node.fault = fault
    const error = await errorOf(create())
    expect(error).toBeInstanceOf(kind)
    expect([error.status, error.code]).toEqual([status, code])
    expect(JSON.stringify(error.error) + error.message + JSON.stringify([...error.headers])).not.toMatch(/127\.0\.0\.1|http:|n1/)
    const measured = async () => (await fetch(stage.url('/metrics'))).text()
    await expect.poll(measured).toMatch(/voxpool_entry_path_failures_total\{path="\/v1\/audio\/speech",kind="\w+"\} 1/)
    expect(await measured()).toMatch(/voxpool_entry_upstream_failures_total\{upstream="n1",kind="\w+"\} \d/)
  })

  it('says when to come back where nothing can speak', async () => {
    await stage.registry('setEnabled', { serverId: 'n1', enabled: false })
    await stage.bot.app.sync.now()
    const error = await errorOf(create())
    expect([error.status, error.code, error.headers.get('retry-after')]).toEqual([503, 'no_node', '5'])
  })

  it('breaks a stream off that has begun, as bytes and as events', async () => {
    stage.node.faultFor = (input) => (TEXT.endsWith(input) ? 'refuseText' : 'none')
    for (const stream_format of ['audio', 'sse'] as const) {
      const response = await create({ input: TEXT, response_format: 'pcm', stream_format })
      expect(response.status).toBe(200)
      let said = ''
      const reading = async () => {
        for await (const chunk of chunksOf(response)) said += Buffer.from(chunk).toString('latin1')
      }
      await expect(reading()).rejects.toThrow()
      expect(said.length).toBeGreaterThan(0)
      if (stream_format === 'sse') expect(said).toMatch(/"error":\{"message":"The text was refused[^\n]*\n\n$/)
      expect(said).not.toContain('speech.audio.done')
      const logged = (await (await fetch(stage.url(`/v1/requests/${response.headers.get('x-request-id') ?? ''}`))).json()) as object
      expect(logged).toMatchObject({ status: 400 })
    }
  })

  it('is 405 for a method that a path does not take', async () => {
    const response = await fetch(stage.url('/v1/audio/speech'))
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  })
})

describe('a request', () => {
  it('is found again by its id, by whoever sent it', async () => {
    const headers = { 'x-request-id': 'mine.1', 'content-type': 'application/json' }
    const response = await fetch(stage.url('/v1/audio/speech'), { method: 'POST', headers, body: JSON.stringify({ input: 'Hello.', voice: 'marked', response_format: 'opus' }) })
    expect([response.headers.get('x-request-id'), (await bytesOf(response)).length > 0]).toEqual(['mine.1', true])
    const logged = (await (await fetch(stage.url('/v1/requests/mine.1'))).json()) as object
    expect(logged).toMatchObject({ requestId: 'mine.1', status: 200, voice: 'marked', inputLength: 6 })
    expect((await fetch(stage.url('/v1/requests/other'))).status).toBe(404)
    const { secret = '' } = stage.bot.app.apiKeys.make('somebody') ?? {}
    expect((await fetch(stage.url('/v1/requests/mine.1'), { headers: { authorization: `Bearer ${secret}` } })).status).toBe(404)
  })

  it('of one key goes to the node that the key has, and the key is present there', async () => {
    const { key, secret = '' } = stage.bot.app.apiKeys.make('somebody') ?? {}
    await stage.client(secret).audio.speech.create({ model: 'x', voice: 'nova', input: 'Hello.' })
    expect(stage.bot.app.assignments.get(stage.bot.app.deviceIdOf('api', key?.id ?? ''))).toBe('n1')
    await stage.bot.app.sync.now()
    expect(stage.bot.app.pool.nodes()[0]?.activeCount).toBe(1)
  })

  it('is answered from the cache when it was said lately', async () => {
    const say = async () => bytesOf(await stage.client().audio.speech.create({ model: 'x', voice: 'nova', input: 'Once only.', response_format: 'opus' }))
    const [first, second] = [await say(), await say()]
    expect(first.equals(second)).toBe(true)
    expect(stage.node.received.length).toBe(1)
  })
})

it('packets of one segment come out as the node made them', async () => {
  await stage.close()
  stage = await openSpeech()
  const response = await stage.client().audio.speech.create({ model: 'x', voice: 'nova', input: 'Packet for packet.', response_format: 'opus' })
  const parsed = parseOggOpus(await bytesOf(response))
  expect(parsed.ok && parsed.stream.packets.map((packet) => Buffer.from(packet).toString('hex'))).toEqual(packetsFor('Packet for packet.').map((packet) => Buffer.from(packet).toString('hex')))
})
