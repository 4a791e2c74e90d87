import { Events } from 'discord.js'
import type { Client } from 'discord.js'
import type { Change } from '../voice/connection-state.ts'
import type { Sessions } from '../voice/sessions.ts'

/**
 * Has voice sessions look again where they are, whenever the gateway may have missed to say so: after its session was resumed or made anew, when a
 * server comes back from an outage, and when a channel or a server is gone.
 */
export function watchVoice(client: Client, sessions: Sessions): void {
  const ofShard = (shardId: number, change: Change) => {
    for (const session of sessions.all()) if (client.guilds.cache.get(session.guildId)?.shardId === shardId) session.compare(change)
  }
  client.on(Events.ShardReady, (shardId) => ofShard(shardId, 'renewed'))
  client.on(Events.ShardResume, (shardId) => ofShard(shardId, 'resumed'))
  client.on(Events.GuildAvailable, ({ id }) => sessions.get(id)?.compare('renewed'))
  client.on(Events.GuildDelete, ({ id }) => sessions.get(id)?.compare('guild'))
  client.on(Events.ChannelDelete, (channel) => {
    if ('guildId' in channel) sessions.get(channel.guildId)?.compare('guild')
  })
}
