import { describe, expect, it } from 'vitest'
import { parseOggOpus } from '../audio/ogg.ts'
import type { OpusStream } from '../audio/ogg.ts'
import { runAhead } from '../speech/ahead.ts'
import type { Utterance } from '../speech/speak.ts'
import { chooseDelivery } from './choose.ts'
import { makeFile } from './upload.ts'

const nobody = { busyChannelId: null }

describe('where it is heard', () => {
  it.each([
    ['auto', { ...nobody, memberChannelId: 'a' }, { to: 'voice', channelId: 'a' }],
    ['auto', { ...nobody, memberChannelId: null }, { to: 'file' }],
    ['auto', { ...nobody, memberChannelId: 'a', missing: 'speak' }, { to: 'file' }],
    ['auto', { memberChannelId: 'a', busyChannelId: 'a' }, { to: 'voice', channelId: 'a' }],
    ['auto', { memberChannelId: 'a', busyChannelId: 'b' }, { to: 'file' }],
    ['voice', { ...nobody, memberChannelId: 'a' }, { to: 'voice', channelId: 'a' }],
    ['voice', { ...nobody, memberChannelId: null }, { to: 'nowhere', reason: 'notInVoice' }],
    ['voice', { ...nobody, memberChannelId: 'a', missing: 'connect' }, { to: 'nowhere', reason: 'connect' }],
    ['voice', { memberChannelId: 'a', busyChannelId: 'b' }, { to: 'nowhere', reason: 'elsewhere' }],
    ['file', { ...nobody, memberChannelId: 'a' }, { to: 'file' }]
  ] as const)('%s, %j: %j', (wanted, place, delivery) => {
    expect(chooseDelivery(wanted, place)).toEqual(delivery)
  })
})

describe('the file of an utterance', () => {
  const segment = (...marks: number[]): OpusStream => ({ packets: marks.map((mark) => Uint8Array.of(0xf8, mark)), channels: 1, preSkip: 312, durationMs: 0 })
  const utterance = (...segments: OpusStream[]): Utterance => ({
    id: 'u', audio: runAhead(segments.map((each) => async () => each), 1), cancel: () => {}
  })

  it('is one whole stream with the packets of all segments in order', async () => {
    const file = await makeFile(utterance(segment(1, 2), segment(3)), 1_000_000)
    const parsed = parseOggOpus(file.bytes)
    expect(parsed.ok && parsed.stream.packets.map((packet) => packet[1])).toEqual([1, 2, 3])
    expect(file.durationMs).toBe(60)
  })

  it('is refused when it is larger than may be attached', async () => {
    await expect(makeFile(utterance(segment(1)), 50)).rejects.toMatchObject({ code: 'UPLOAD_TOO_LARGE' })
  })
})
