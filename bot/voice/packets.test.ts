import { describe, expect, it } from 'vitest'
import type { OpusStream } from '../audio/ogg.ts'
import { SILENCE } from '../audio/opus.ts'
import { PacketStream } from './packets.ts'

const stream = (...marks: number[]): OpusStream => ({ packets: marks.map((mark) => Uint8Array.of(0xf8, mark)), channels: 1, preSkip: 0, durationMs: 0 })
const later = () => new Promise((resolve) => setImmediate(resolve))

async function* given(...streams: OpusStream[]) {
  yield* streams
}

/** Reads as the player does: one packet at a time, with time passing between. */
async function readAll(packets: PacketStream, most = 50): Promise<(number | 'silence')[]> {
  const read: (number | 'silence')[] = []
  for (let step = 0; step < most && !packets.readableEnded; step++) {
    const packet = packets.read() as Buffer | null
    if (packet !== null) read.push(packet.equals(SILENCE) ? 'silence' : (packet[1] ?? -1))
    await later()
  }
  return read
}

describe('the packets of an utterance', () => {
  it('come one by one, untouched, without a gap between segments', async () => {
    const packets = new PacketStream(stream(1, 2, 3), given(stream(4, 5), stream(6)))
    expect(await readAll(packets)).toEqual([1, 2, 3, 4, 5, 6])
    expect(packets.spokenMs).toBe(120)
  })

  it('bridge a late segment with silence, and then go on', async () => {
    let arrive: (value: OpusStream) => void = () => {}
    const late = new Promise<OpusStream>((resolve) => (arrive = resolve))
    const packets = new PacketStream(
      stream(1, 2),
      (async function* () {
        yield await late
      })()
    )
    const reading = readAll(packets)
    for (let step = 0; step < 6; step++) await later()
    arrive(stream(3))
    const read = await reading
    expect(read.filter((each) => each !== 'silence')).toEqual([1, 2, 3])
    expect(read.slice(0, 4)).toEqual([1, 2, 'silence', 'silence'])
  })

  it('wait with silence while nobody could hear them, and then lose nothing', async () => {
    let heard = false
    const packets = new PacketStream(stream(1, 2, 3), given(), () => heard)
    const reading = readAll(packets)
    for (let step = 0; step < 5; step++) await later()
    heard = true
    const read = await reading
    expect(read.slice(0, 3)).toEqual(['silence', 'silence', 'silence'])
    expect(read.filter((each) => each !== 'silence')).toEqual([1, 2, 3])
    expect(packets.unheard).toBe(0)
  })

  it('do not wait for ever: after three seconds they are played and counted', async () => {
    const packets = new PacketStream(stream(1, 2), given(), () => false)
    const read = await readAll(packets, 400)
    expect(read.filter((each) => each === 'silence').length).toBe(150)
    expect(packets.unheard).toBeGreaterThanOrEqual(2)
  })

  it('play what is there before they end with a fault', async () => {
    const lost = new Error('lost')
    const packets = new PacketStream(
      stream(1, 2),
      (async function* () {
        yield stream(3)
        throw lost
      })()
    )
    expect(await readAll(packets)).toEqual([1, 2, 3])
    expect(packets.fault).toBe(lost)
  })
})
