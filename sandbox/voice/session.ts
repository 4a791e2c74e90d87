import { randomBytes } from 'node:crypto'
import type { WebSocket } from 'ws'
import type { Channel } from './channel.ts'
import type { Participant } from './dave.ts'
import { CloseCode, Op } from './opcodes.ts'
import type { Outgoing } from './opcodes.ts'

/** What the main gateway told a bot, and so what the bot must show here. */
export interface Admission {
  guildId: string
  channelId: string
  userId: string
  sessionId: string
  token: string
}

/** Messages that can be sent again after a resume. */
const REPLAY_MAX = 512
/** A client that does not read is let go before it fills the memory. */
const UNSENT_MAX_BYTES = 4 * 1024 * 1024

/**
 * One bot in one channel. It outlives its socket: what it is told meanwhile is numbered, kept, and told again when it resumes
 * (version 8, "Buffered Resume").
 */
export class VoiceSession implements Participant {
  readonly kind = 'client'
  readonly admission: Admission
  readonly channel: Channel
  readonly ssrc: number
  readonly secretKey = randomBytes(32)
  /** Where its packets come from, `address:port`; known after IP discovery. */
  udpPeer: string | null = null
  state: 'identified' | 'ready' | 'ended' = 'identified'
  #socket: WebSocket | null
  #sequence = 0
  readonly #sent: { sequence: number; message: Outgoing }[] = []

  constructor(admission: Admission, channel: Channel, ssrc: number, socket: WebSocket) {
    this.admission = admission
    this.channel = channel
    this.ssrc = ssrc
    this.#socket = socket
  }

  get userId(): string {
    return this.admission.userId
  }

  get isConnected(): boolean {
    return this.#socket !== null
  }

  send(message: Outgoing): void {
    if (this.state === 'ended') return
    this.#sequence = (this.#sequence + 1) & 0xffff
    this.#sent.push({ sequence: this.#sequence, message })
    if (this.#sent.length > REPLAY_MAX) this.#sent.shift()
    this.#transmit(this.#sequence, message)
  }

  /** Takes over a new socket and sends again what came after `seqAck`. `false` when too much was lost: the client needs a new session. */
  resume(socket: WebSocket, seqAck: number): boolean {
    const at = this.#sent.findIndex((each) => each.sequence === seqAck)
    const isComplete = seqAck === this.#sequence || at !== -1 || (seqAck === -1 && this.#sent[0]?.sequence === 1)
    if (!isComplete) return false
    this.#closeSocket(CloseCode.sessionNoLongerValid)
    this.#socket = socket
    socket.send(JSON.stringify({ op: Op.resumed, d: null }))
    for (const { sequence, message } of this.#sent.slice(at + 1)) this.#transmit(sequence, message)
    return true
  }

  /** The socket is gone. `false` when it was not this session's any more. */
  detach(socket: WebSocket): boolean {
    if (this.#socket !== socket) return false
    this.#socket = null
    return true
  }

  /** Ends the session for good; the code tells the client why. */
  end(code: number): void {
    this.state = 'ended'
    this.#closeSocket(code)
    this.channel.exit(this)
  }

  /** Closes the socket alone: the session waits to be resumed. 1006 cuts the connection without a word. */
  drop(code: number): void {
    if (code === 1006) this.#socket?.terminate()
    else this.#socket?.close(code)
  }

  #closeSocket(code: number): void {
    const socket = this.#socket
    this.#socket = null
    socket?.close(code)
  }

  #transmit(sequence: number, message: Outgoing): void {
    const socket = this.#socket
    if (!socket) return
    if (socket.bufferedAmount > UNSENT_MAX_BYTES) {
      socket.terminate()
      return
    }
    if ('data' in message) socket.send(JSON.stringify({ op: message.op, d: message.data, seq: sequence }))
    else socket.send(Buffer.concat([Buffer.from([sequence >> 8, sequence & 0xff, message.op]), message.payload]))
  }
}
