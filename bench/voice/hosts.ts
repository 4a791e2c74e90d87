import { startSandbox } from '../../sandbox/start.ts'
import { startVoiceServer } from '../../sandbox/voice/server.ts'
import type { VoiceServer } from '../../sandbox/voice/server.ts'
import type { Job } from './job.ts'

/** What the measured bot speaks to, in this process: each of its channels has one person in it, who hears. */
export interface Host {
  at: Job['at']
  caCertificate: string
  /** Packets that the people in its channels heard so far. */
  heard(): number
  close(): Promise<void>
}

const heardBy = ({ counters }: VoiceServer) => counters.packets - counters.unheardPackets - counters.decryptFailures

/** A whole Discord with so many servers, which discord.js logs in to. */
export async function openDiscord(servers: number): Promise<Host> {
  const sandbox = await startSandbox({
    switches: { rateLimits: false },
    guilds: Array.from({ length: servers }, (_, index) => ({
      name: `Server ${index}`,
      channels: [{ name: 'Lounge', type: 2 }],
      members: [{ name: `Person ${index}` }]
    }))
  })
  for (const guild of sandbox.world.guilds.values()) {
    for (const channel of guild.channels.values()) sandbox.act.joinVoice(guild.ownerId, channel.id)
  }
  return {
    at: { apiUrl: sandbox.apiUrl, token: sandbox.token },
    caCertificate: sandbox.voice.caCertificate,
    heard: () => heardBy(sandbox.voice),
    close: () => sandbox.close()
  }
}

/** The voice server alone, which has been told to let the bot in everywhere. */
export async function openVoice(servers: number): Promise<Host> {
  const voice = await startVoiceServer({ socketsMax: servers * 2 })
  const places = Array.from({ length: servers }, (_, index) => ({
    guildId: `1${index}`, channelId: `2${index}`, userId: '900', sessionId: `session-${index}`, token: `token-${index}`
  }))
  for (const place of places) {
    voice.setPeople(place.guildId, place.channelId, [`3${place.guildId}`])
    voice.admit(place)
  }
  return { at: { endpoint: voice.endpoint, places }, caCertificate: voice.caCertificate, heard: () => heardBy(voice), close: () => voice.close() }
}
