import OpusScript from 'opusscript'
import { request as httpRequest } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseOggOpus } from '../bot/audio/ogg.ts'
import { Health, NodeError, Voices } from '../bot/wire/node.ts'
import { startToneNode } from './tone-node.ts'
import type { ToneNode } from './tone-node.ts'

let node: ToneNode

beforeEach(async () => { node = await startToneNode({ serverId: 'tone-1', nodeKey: 'k' }) })
afterEach(() => node.close())

const speak = (body: unknown, headers: Record<string, string> = { authorization: 'Bearer k' }): Promise<Response> =>
  fetch(`${node.url}/v1/audio/speech`, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), headers })

async function audio(body: object): Promise<{ packets: Uint8Array[]; durationMs: number }> {
  const response = await speak({ response_format: 'opus', ...body })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('audio/ogg')
  const parsed = parseOggOpus(new Uint8Array(await response.arrayBuffer()))
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.stream
}

/** How often the sound crosses zero: twice a period. */
function crossings(packets: readonly Uint8Array[]): number {
  const decoder = new OpusScript(48_000, 1)
  const pcm = packets.flatMap((packet) => {
    const bytes = decoder.decode(Buffer.from(packet))
    return [...new Int16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 2)]
  })
  decoder.delete()
  return pcm.filter((value, index) => index > 0 && value >= 0 !== (pcm[index - 1] ?? 0) >= 0).length
}

describe('the tone node', () => {
  it('says that it is ready, without a key', async () => {
    const response = await fetch(`${node.url}/health`)
    expect(response.status).toBe(200)
    expect(Health.parse(await response.json())).toMatchObject({ ok: true, ready: true, serverId: 'tone-1', engine: 'tone', inFlight: 0 })
  })

  it('lists its one voice', async () => {
    const response = await fetch(`${node.url}/v1/audio/voices`, { headers: { authorization: 'Bearer k' } })
    expect(Voices.parse(await response.json()).voices.map(({ id }) => id)).toEqual(['tone'])
  })

  it('speaks every text as whole Ogg Opus, one note of 60 ms a character', async () => {
    const { packets, durationMs } = await audio({ input: 'Hello, 世界 😀' })
    expect(packets).toHaveLength((11 * 60) / 20)
    expect(durationMs).toBeCloseTo(11 * 60 - 6.5)
  })

  it('repeats itself to the byte, and other texts sound otherwise', async () => {
    const [first, second, other] = [await audio({ input: 'aaa' }), await audio({ input: 'aaa' }), await audio({ input: 'bbb' })]
    expect(second.packets).toEqual(first.packets)
    expect(other.packets).not.toEqual(first.packets)
  })

  it('honours speed and pitch', async () => {
    const plain = await audio({ input: 'aaaaaaaaaa' })
    const fast = await audio({ input: 'aaaaaaaaaa', speed: 2 })
    const high = await audio({ input: 'aaaaaaaaaa', pitch: 12 })
    expect(fast.packets.length).toBe(plain.packets.length / 2)
    expect(crossings(high.packets) / crossings(plain.packets)).toBeCloseTo(2, 0)
  })

  it.each([
    ['a body that is not JSON', '{', 400, 'invalid_request'],
    ['no text', {}, 400, 'invalid_request'],
    ['another format', { input: 'a', response_format: 'mp3' }, 400, 'format_not_supported'],
    ['an unknown voice', { input: 'a', response_format: 'opus', voice: 'mei' }, 400, 'voice_not_found'],
    ['nothing to speak', { input: ' ... ', response_format: 'opus' }, 422, 'input_unspeakable'],
    ['a body too large', { input: 'a'.repeat(70_000) }, 413, 'body_too_large']
  ])('refuses %s in the OpenAI shape', async (_, body, status, code) => {
    const response = await speak(body)
    expect(response.status).toBe(status)
    expect(NodeError.parse(await response.json()).error.code).toBe(code)
  })

  it('asks for the key and says what is not there', async () => {
    expect((await speak({ input: 'a', response_format: 'opus' }, {})).status).toBe(401)
    expect(NodeError.parse(await (await fetch(`${node.url}/nothing`)).json()).error.code).toBe('not_found')
  })

  it('echoes the request id', async () => {
    const response = await speak({ input: 'a', response_format: 'opus' }, { authorization: 'Bearer k', 'x-request-id': 'bot-7' })
    expect(response.headers.get('x-request-id')).toBe('bot-7')
  })

  it('is busy beyond its queue, and everybody whom it took is served', async () => {
    const long = { input: 'a'.repeat(100), response_format: 'opus' }
    const statuses = (await Promise.all(Array.from({ length: 60 }, () => speak(long)))).map(({ status }) => status)
    const served = statuses.filter((status) => status === 200).length
    const busy = statuses.filter((status) => status === 429).length
    expect(served + busy).toBe(60)
    expect(served).toBeGreaterThanOrEqual(17)
    expect(busy).toBeGreaterThan(0)
  })

  it('stops speaking for a client that has gone', async () => {
    const body = JSON.stringify({ input: 'a'.repeat(2000), response_format: 'opus' })
    const leaver = httpRequest(`${node.url}/v1/audio/speech`, { method: 'POST', headers: { authorization: 'Bearer k' } })
    leaver.on('error', () => undefined)
    leaver.end(body)
    await inFlight(1)
    leaver.destroy()
    await inFlight(0)
    expect((await audio({ input: 'next' })).packets.length).toBe(12)
  })
})

async function inFlight(count: number): Promise<void> {
  await expect.poll(async () => Health.parse(await (await fetch(`${node.url}/health`)).json()).inFlight, { interval: 5, timeout: 20_000 }).toBe(count)
}
