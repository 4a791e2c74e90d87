import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import tls from 'node:tls'
import { createAdaptorServer } from '@hono/node-server'
import { systemClock } from '../bot/core/clock.ts'
import type { Clock } from '../bot/core/clock.ts'
import { createActs } from './act.ts'
import type { Acts } from './act.ts'
import { APPLICATION_ID, createWorld } from './create-world.ts'
import { createGateway } from './gateway/server.ts'
import type { Gateway } from './gateway/server.ts'
import { pageRoutes } from './page/routes.ts'
import { createRest } from './rest/app.ts'
import { DEFAULT_GUILDS } from './seed.ts'
import type { GuildSeed } from './seed.ts'
import { defaultSwitches } from './switches.ts'
import type { Switches } from './switches.ts'
import { trackedClock } from './tracked-clock.ts'
import { peopleIn } from './voice-states.ts'
import { startVoiceServer } from './voice/server.ts'
import type { VoiceServer } from './voice/server.ts'
import type { World } from './world.ts'

export interface SandboxOptions {
  /** Discord's own time (stamps, the 3 s and 15 min limits); heartbeats, rate limits and voice always run in real time. */
  clock?: Clock
  /** 0, the default: any free one. Always on 127.0.0.1. */
  port?: number
  /** The default is one server with four people; see `seed.ts`. */
  guilds?: readonly GuildSeed[]
  /** What the bot must log in with; a new one when absent. */
  token?: string
  switches?: Partial<Switches>
}

export interface Sandbox {
  /** For `DISCORD_API_URL`. */
  apiUrl: string
  pageUrl: string
  token: string
  world: World
  act: Acts
  voice: VoiceServer
  gateway: Pick<Gateway, 'drop' | 'askToReconnect' | 'invalidateSessions' | 'sessionCount' | 'botVoice'>
  switches: Switches
  /** Closes every socket and timer. */
  close(): Promise<void>
}

/** Looks like a real one, and is new at every start: pages in a browser can reach this port too. */
const newToken = () => [Buffer.from(APPLICATION_ID).toString('base64url'), randomBytes(4).toString('hex'), randomBytes(24).toString('base64url')].join('.')

/**
 * Starts a Discord on this machine that the unmodified discord.js and @discordjs/voice connect to: REST, gateway, voice
 * and a page to try the bot in. The certificate of its voice server is trusted by this process from here on.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, guilds = DEFAULT_GUILDS, token = newToken() } = options
  const clock = trackedClock(options.clock ?? systemClock)
  const wireClock = trackedClock(systemClock)
  const switches = { ...defaultSwitches(), ...options.switches }
  const world = createWorld({ clock, token, guilds })

  const voice = await startVoiceServer()
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), voice.caCertificate])

  const address = { http: '', gateway: '' }
  const links = {
    get origin() {
      return address.http
    }
  }
  const gateway = createGateway({ world, voice, links, switches, clock: wireClock, url: () => address.gateway })
  const act = createActs({ world, clock, wireClock, botVoice: gateway.botVoice })
  const app = createRest({ world, clock, wireClock, links, switches, gatewayUrl: () => address.gateway })
  app.route('/', pageRoutes({ world, act, voice, clock: wireClock }))

  // The voice server's groups hold exactly the people whom the world places in a channel.
  world.events.on('voiceState', (guildId, before, after, userId) => {
    for (const channelId of new Set([before?.channelId, after?.channelId])) {
      if (channelId !== undefined) voice.setPeople(guildId, channelId, peopleIn(world, guildId, channelId))
    }
    voice.setSilenced(guildId, userId, after !== null && (after.mute || after.suppress))
  })

  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server
  gateway.attach(server)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const origin = `127.0.0.1:${(server.address() as AddressInfo).port}`
  address.http = `http://${origin}`
  address.gateway = `ws://${origin}/gateway`

  return {
    apiUrl: `${address.http}/api`,
    pageUrl: `${address.http}/`,
    token,
    world,
    act,
    voice,
    gateway,
    switches,
    async close() {
      gateway.close()
      wireClock.cancelAll()
      clock.cancelAll()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await Promise.all([closed, voice.close()])
      world.events.removeAllListeners()
    }
  }
}
