import { describe, expect, it } from 'vitest'
import type { OpusStream } from '../audio/ogg.ts'
import { SILENCE } from '../audio/opus.ts'
import { createPackets } from './packets.ts'
import type { Packets } from './packets.ts'

const stream = (...marks: number[]): OpusStream => ({ packets: marks.map((mark) => Uint8Array.of(0xf8, mark)), channels: 1, preSkip: 0, durationMs: 0 })
const later = () => new Promise((resolve) => setImmediate(resolve))
const always = () => true

async function* given(...streams: OpusStream[]) {
  yield* streams
}

/** Sends as the player does: one packet at a time, with time passing between. */
async function sendAll(packets: Packets, most = 50): Promise<(number | 'silence')[]> {
  const sent: (number | 'silence')[] = []
  for (let packet = packets.next(); packet !== undefined && sent.length < most; packet = packets.next()) {
    sent.push(packet.equals(SILENCE) ? 'silence' : (packet[1] ?? -1))
    packets.sent()
    await later()
  }
  return sent
}

describe('the packets of an utterance', () => {
  it('come one by one, untouched, without a gap between segments', async () => {
    const packets = createPackets(stream(1, 2, 3), given(stream(4, 5), stream(6)), always)
    expect(await sendAll(packets)).toEqual([1, 2, 3, 4, 5, 6])
    expect(packets.spokenMs).toBe(120)
  })

  it('stay where they are until they are sent', async () => {
    const packets = createPackets(stream(1, 2), given(), always)
    await later()
    expect([packets.next(), packets.next(), packets.next()].map((packet) => packet?.[1])).toEqual([1, 1, 1])
    expect(packets.spokenMs).toBe(0)
    expect(await sendAll(packets)).toEqual([1, 2])
  })

  it('bridge a late segment with silence, and then go on', async () => {
    let arrive: (value: OpusStream) => void = () => {}
    const late = new Promise<OpusStream>((resolve) => (arrive = resolve))
    const packets = createPackets(
      stream(1, 2),
      (async function* () {
        yield await late
      })(),
      always
    )
    const sending = sendAll(packets)
    for (let step = 0; step < 6; step++) await later()
    arrive(stream(3))
    const sent = await sending
    expect(sent.filter((each) => each !== 'silence')).toEqual([1, 2, 3])
    expect(sent.slice(0, 4)).toEqual([1, 2, 'silence', 'silence'])
  })

  it('wait with silence while nobody could hear them, and then lose nothing', async () => {
    let heard = false
    const packets = createPackets(stream(1, 2, 3), given(), () => heard)
    const sending = sendAll(packets)
    for (let step = 0; step < 5; step++) await later()
    heard = true
    const sent = await sending
    expect(sent.slice(0, 3)).toEqual(['silence', 'silence', 'silence'])
    expect(sent.filter((each) => each !== 'silence')).toEqual([1, 2, 3])
    expect(packets.unheard).toBe(0)
  })

  it('do not wait for ever: after three seconds they are played and counted', async () => {
    const packets = createPackets(stream(1, 2), given(), () => false)
    const sent = await sendAll(packets, 400)
    expect(sent.filter((each) => each === 'silence').length).toBe(150)
    expect(packets.unheard).toBe(2)
  })

  it('play what is there before they end with a fault', async () => {
    const lost = new Error('lost')
    const packets = createPackets(
      stream(1, 2),
      (async function* () {
        yield stream(3)
        throw lost
      })(),
      always
    )
    expect(await sendAll(packets)).toEqual([1, 2, 3])
    expect(packets.fault).toBe(lost)
  })

  it('say how long they still take: by the estimate while segments are to come, to the packet when all are there', async () => {
    const packets = createPackets(stream(1, 2, 3), given(stream(4, 5)), always)
    expect(packets.remainingMs(1000)).toBe(1000)
    await later()
    expect(packets.remainingMs(1000)).toBe(1000)
    expect(packets.remainingMs(10)).toBe(100)
    for (let sent = 0; sent < 4; sent++) {
      packets.next()
      packets.sent()
      await later()
    }
    expect(packets.remainingMs(1000)).toBe(20)
  })
})
