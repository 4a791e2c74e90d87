import { speak } from '../../bot/speech/speak.ts'
import type { Relay } from '../../bot/speech/relay.ts'
import { splitText } from '../../bot/speech/segments.ts'
import { packetsFor } from '../../sandbox/fault-node.ts'

export interface Heard {
  segments: number
  utterances: number
  lost: number
  twice: number
  cut: number
  outOfOrder: number
  waitsMs: number[]
  /** Why utterances were lost, with how often. */
  reasons: Map<string, number>
}

const hex = (packets: readonly Uint8Array[]) => packets.map((packet) => Buffer.from(packet).toString('hex'))

/** Every member says one utterance after the other, as their session's queue would, and what is heard is compared packet by packet. */
export async function hearAll(options: { relay: Relay; members: number; segments: number }): Promise<Heard> {
  const { relay, members, segments } = options
  const heard: Heard = { segments: 0, utterances: 0, lost: 0, twice: 0, cut: 0, outOfOrder: 0, waitsMs: [], reasons: new Map() }

  async function member(index: number): Promise<void> {
    for (let turn = 0; heard.segments < segments; turn++) {
      const text = textOf(index, turn)
      const expected = splitText(text)
      heard.segments += expected.length
      heard.utterances += 1
      const { audio } = speak(relay, { text, deviceId: `member-${index}` })
      const packets: Uint8Array[] = []
      try {
        let askedMs = performance.now()
        for await (const stream of audio) {
          heard.waitsMs.push(performance.now() - askedMs)
          packets.push(...stream.packets)
          askedMs = performance.now()
        }
      } catch (error) {
        heard.lost += 1
        const reason = error instanceof Error ? error.message.slice(0, 60) : String(error)
        heard.reasons.set(reason, (heard.reasons.get(reason) ?? 0) + 1)
        continue
      }
      compare(hex(packets), hex(expected.flatMap(packetsFor)), heard)
    }
  }

  await Promise.all(Array.from({ length: members }, (_, index) => member(index)))
  return heard
}

function compare(got: string[], wanted: string[], heard: Heard): void {
  if (got.join() === wanted.join()) return
  const once = new Set(got)
  if (once.size < got.length) heard.twice += 1
  else if (wanted.some((packet) => !once.has(packet))) heard.cut += 1
  else heard.outOfOrder += 1
}

/** One to three sentences that nobody else says. */
function textOf(member: number, turn: number): string {
  const sentences = [
    `Member ${member} says this as number ${turn}.`,
    `And here is a second sentence of number ${turn}, by ${member}, which is somewhat longer than the first.`,
    `The third one, of member ${member} at turn ${turn}, comes last and is long enough that it will not be put together with the second one in one request, so that there are three of them.`
  ]
  return sentences.slice(0, 1 + (turn % 3)).join(' ')
}
