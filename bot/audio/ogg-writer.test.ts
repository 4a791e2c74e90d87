import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseOggOpus } from './ogg.ts'
import { createOggWriter } from './ogg-writer.ts'

/** A packet of 20 ms (CELT, one frame), of any size. */
const packet = fc.integer({ min: 1, max: 1_300 }).map((length) => Uint8Array.from({ length }, (_, index) => (index === 0 ? 0xf8 : (index * length) & 0xff)))

it('packets are one valid stream, however they come and whenever they are flushed', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.array(packet, { maxLength: 70 }), fc.boolean()), { minLength: 1, maxLength: 6 }), (turns) => {
      const packets = turns.flatMap(([each]) => each)
      fc.pre(packets.length > 0)
      const writer = createOggWriter({ preSkip: 0, channels: 1 })
      const parts = [writer.start()]
      for (const [each, isFlushed] of turns) parts.push(writer.add(each), isFlushed ? writer.flush() : new Uint8Array())
      const parsed = parseOggOpus(Buffer.concat([...parts, writer.end()]))
      expect(parsed.ok && parsed.stream.packets.map((each) => Buffer.from(each))).toEqual(packets.map((each) => Buffer.from(each)))
    }),
    { numRuns: 60 }
  )
})

it('a flush gives all but the last packet, and nothing where there is but one', () => {
  const writer = createOggWriter({ preSkip: 0, channels: 1 })
  const one = Uint8Array.of(0xf8, 1)
  expect([writer.add([one]).length, writer.flush().length]).toEqual([0, 0])
  expect(writer.add([one, one]).length).toBe(0)
  expect(writer.flush().length).toBe(27 + 2 + 4)
})
