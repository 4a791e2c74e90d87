import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { decryptRtp, readRtpHeader } from './rtp.ts'
import type { VoiceSession } from './session.ts'
import type { Counters, Faults } from './status.ts'

const DISCOVERY_BYTES = 74
const DISCOVERY_REQUEST = 1
const DISCOVERY_RESPONSE = 2
const KEEP_ALIVE_BYTES = 8
const OPUS_PAYLOAD_TYPE = 120

export interface VoiceUdp {
  port: number
  /** @param peer `address:port` */
  send(peer: string, datagram: Uint8Array): void
  close(): Promise<void>
}

interface UdpOptions {
  sessionOf: (ssrc: number) => VoiceSession | undefined
  isSilenced: (session: VoiceSession) => boolean
  isKnownPeer: (peer: string) => boolean
  counters: Counters
  faults: Faults
}

/**
 * The socket that voice packets arrive on, 127.0.0.1 only. It answers IP discovery (74 bytes: type, length, ssrc, address, port) and
 * keep-alives (8 bytes, sent back as they are), and passes on what it can decrypt; all else is counted and dropped.
 */
export async function openVoiceUdp({ sessionOf, isSilenced, isKnownPeer, counters, faults }: UdpOptions): Promise<VoiceUdp> {
  const socket = createSocket('udp4')
  socket.on('message', (packet, { address, port }) => {
    const peer = `${address}:${port}`
    if (packet.length === DISCOVERY_BYTES && packet.readUInt16BE(0) === DISCOVERY_REQUEST) {
      const session = sessionOf(packet.readUInt32BE(4))
      if (!session || faults.udpSilent) return
      session.udpPeer = peer
      socket.send(discoveryResponse(session.ssrc, address, port), port, address)
    } else if (packet.length === KEEP_ALIVE_BYTES) {
      if (isKnownPeer(peer)) socket.send(packet, port, address)
    } else {
      receivePacket(packet, peer)
    }
  })
  // Sending to a client that is gone is reported on some systems as an error of this socket: nothing to do about it.
  socket.on('error', () => { counters.strayPackets++ })

  const receivePacket = (packet: Buffer, peer: string) => {
    const header = readRtpHeader(packet)
    const session = header ? sessionOf(header.ssrc) : undefined
    if (!header || session?.state !== 'ready' || session.udpPeer !== peer || header.payloadType !== OPUS_PAYLOAD_TYPE) {
      counters.strayPackets++
      return
    }
    counters.packets++
    const frame = decryptRtp(packet, header, session.secretKey)
    if (!frame) counters.decryptFailures++
    else if (isSilenced(session) || !session.channel.hear(frame, { userId: session.userId, ssrc: header.ssrc, sequence: header.sequence, timestamp: header.timestamp })) counters.unheardPackets++
  }

  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    port: socket.address().port,
    send(peer, datagram) {
      const [address, port] = peer.split(':')
      socket.send(datagram, Number(port), address)
    },
    close: () => new Promise((resolve) => socket.close(resolve))
  }
}

function discoveryResponse(ssrc: number, address: string, port: number): Buffer {
  const response = Buffer.alloc(DISCOVERY_BYTES)
  response.writeUInt16BE(DISCOVERY_RESPONSE, 0)
  response.writeUInt16BE(DISCOVERY_BYTES - 4, 2)
  response.writeUInt32BE(ssrc, 4)
  response.write(address, 8, 'latin1')
  response.writeUInt16BE(port, DISCOVERY_BYTES - 2)
  return response
}
