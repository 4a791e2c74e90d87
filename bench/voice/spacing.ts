import dgram from 'node:dgram'
import { quantile } from '../report.ts'

/** Voice packets are longer than keep-alives (8 bytes), and begin as RTP does. */
const isVoice = (packet: unknown): boolean => packet instanceof Uint8Array && packet.length > 28 && ((packet[0] ?? 0) & 0xc0) === 0x80

/** How evenly packets go out: the milliseconds between two of one stream, as this process hands them to its UDP sockets. */
export interface Spacing {
  packets: number
  p1Ms: number
  p50Ms: number
  p99Ms: number
  largestMs: number
}

/** Watches every UDP socket of this process from now on. */
export function watchSpacing() {
  const stamps = new Map<dgram.Socket, number[]>()
  let sent = 0
  // eslint-disable-next-line @typescript-eslint/unbound-method
  const send = dgram.Socket.prototype.send as (...args: unknown[]) => void
  dgram.Socket.prototype.send = function (this: dgram.Socket, ...args: unknown[]) {
    if (isVoice(args[0])) {
      sent += 1
      const own = stamps.get(this) ?? []
      if (own.push(performance.now()) === 1) stamps.set(this, own)
    }
    send.apply(this, args)
  }
  return {
    /** All packets since the beginning. */
    sent: () => sent,
    /** Streams with at least so many packets. */
    streams: (packets: number) => [...stamps.values()].filter(({ length }) => length >= packets).length,
    forget() {
      for (const own of stamps.values()) own.length = 0
    },
    spacing(): Spacing {
      const gaps = [...stamps.values()].flatMap((own) => own.slice(1).map((atMs, index) => atMs - (own[index] ?? atMs)))
      return {
        packets: [...stamps.values()].reduce((sum, { length }) => sum + length, 0),
        p1Ms: quantile(gaps, 0.01),
        p50Ms: quantile(gaps, 0.5),
        p99Ms: quantile(gaps, 0.99),
        largestMs: quantile(gaps, 1)
      }
    }
  }
}
