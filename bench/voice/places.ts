import { once } from 'node:events'
import { Client, Events, GatewayIntentBits } from 'discord.js'
import type { DiscordGatewayAdapterLibraryMethods } from '@discordjs/voice'
import { viewOf } from '../../bot/discord/guild-view.ts'
import type { GuildView } from '../../bot/voice/guild-view.ts'
import type { Job } from './job.ts'

/** Where the measured bot speaks: one voice channel of one server. */
export interface Place {
  view: GuildView
  channelId: string
  /** Where a whole Discord is there and not its voice server alone: discord.js's own objects, which discord-player's types take for others. */
  discord?: { client: unknown; channel: unknown }
}

/** The places of a job. */
export function placesOf({ at }: Job): Place[] | Promise<Place[]> {
  return 'apiUrl' in at ? placesInDiscord(at) : at.places.map((place) => placeAtServer(place, at.endpoint))
}

async function placesInDiscord({ apiUrl, token }: { apiUrl: string; token: string }): Promise<Place[]> {
  const client = new Client({ intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildVoiceStates], rest: { api: apiUrl } })
  const ready = once(client, Events.ClientReady)
  await client.login(token)
  await ready
  return [...client.guilds.cache.values()].map((guild) => {
    const channel = guild.channels.cache.find((each) => each.isVoiceBased())
    if (channel === undefined) throw new Error(`${guild.name} has no voice channel`)
    return { view: viewOf(guild), channelId: channel.id, discord: { client, channel } }
  })
}

type StateUpdate = Parameters<DiscordGatewayAdapterLibraryMethods['onVoiceStateUpdate']>[0]

/** Without a gateway, whose 120 messages a minute would make joining take longer than the bench: what it would say is said here. */
function placeAtServer({ guildId, channelId, userId, sessionId, token }: Extract<Job['at'], { endpoint: string }>['places'][number], endpoint: string): Place {
  let there: string | null = null
  return {
    channelId,
    view: {
      guildId,
      adapterCreator: (methods) => ({
        sendPayload(payload: { d: { channel_id: string | null } }) {
          there = payload.d.channel_id
          setImmediate(() => {
            methods.onVoiceStateUpdate({ guild_id: guildId, channel_id: there, user_id: userId, session_id: sessionId } as StateUpdate)
            if (there !== null) methods.onVoiceServerUpdate({ guild_id: guildId, token, endpoint })
          })
          return true
        },
        destroy: () => undefined
      }),
      isUp: () => true,
      ownChannelId: () => there,
      hasPeople: () => true,
      hindrance: () => undefined,
      silenced: () => undefined,
      askToSpeak: () => Promise.resolve()
    }
  }
}
