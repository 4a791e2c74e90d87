import { DiscordAPIError, Events, RESTJSONErrorCodes } from 'discord.js'
import type { Client, ClientEvents } from 'discord.js'
import type { App } from '../discord/app.ts'
import { createAnnouncer } from './announcer.ts'
import { createAttendance } from './attendance.ts'
import { guarded } from './guarded.ts'
import { createHomes } from './homes.ts'
import { createLateness } from './lateness.ts'
import { createNotices } from './notices.ts'
import { createReader } from './reader.ts'

export interface RunningReader {
  /** Hears nothing more and forgets its timers; what waits in the queues is told as it ends. */
  stop(): void
  /** Resolves when what it had to tell has reached Discord, or has not. */
  settled(): Promise<unknown>
}

/** Reads aloud from now on. */
export function startReader(client: Client, bot: App): RunningReader {
  const app: App = { ...bot, clock: { ...bot.clock, after: (delayMs, task) => bot.clock.after(delayMs, guarded(bot, 'timer', task)) } }
  const homes = createHomes()
  const notices = createNotices(app)
  const lateness = createLateness(app.clock)
  const reader = createReader(app, { homes, notices, lateness })
  const attendance = createAttendance(client, app, { homes, notices })
  const announcer = createAnnouncer(app)
  const stops: (() => unknown)[] = [() => attendance.close(), () => announcer.close()]

  function on<Name extends keyof ClientEvents>(name: Name, handle: (...args: ClientEvents[Name]) => void): void {
    const listener = guarded(app, name, handle)
    client.on(name, listener)
    stops.push(() => client.off(name, listener))
  }

  on(Events.MessageCreate, (message) => {
    if (message.inGuild()) reader.read(message)
  })
  on(Events.ShardReconnecting, (id) => lateness.reconnecting(id))
  on(Events.ShardResume, (id) => lateness.caughtUp(id))
  on(Events.ShardReady, (id) => lateness.caughtUp(id))
  on(Events.MessageDelete, ({ id }) => reader.forget(id))
  on(Events.MessageBulkDelete, (messages) => messages.forEach(({ id }) => reader.forget(id)))
  on(Events.VoiceStateUpdate, (before, after) => {
    // First who came, while the bot is where it was: whoever brings it is greeted by its coming.
    announcer.voiceState(before, after)
    attendance.voiceState(before, after)
  })

  on(Events.ClientReady, ({ guilds }) => {
    const gone = app.readings.all().filter(({ guildId }) => !guilds.cache.has(guildId))
    for (const guildId of new Set(gone.map((reading) => reading.guildId))) app.readings.removeGuild(guildId)
    for (const guild of guilds.cache.values()) attendance.returnTo(guild)
    void forgetDeleted(client, app)
  })
  // At a start all servers become available, and the bot is not ready yet; later, one does after an outage of Discord's.
  on(Events.GuildAvailable, (guild) => {
    if (client.isReady()) attendance.returnTo(guild)
  })
  on(Events.GuildDelete, ({ id }) => {
    app.readings.removeGuild(id)
    app.stays.set(id, null)
  })
  on(Events.GuildRoleDelete, ({ id, guild }) => {
    const [reading] = app.readings.of(guild.id)
    if (reading !== undefined && app.settings.get(guild.id).readerRoleId === id) notices.tell(guild, reading.textChannelId, (t) => t('read.roleGone'))
  })
  on(Events.ThreadDelete, ({ id }) => {
    reader.forgetChannel(id)
    app.readings.remove(id)
  })
  on(Events.ChannelDelete, (channel) => {
    if (channel.isDMBased()) return
    reader.forgetChannel(channel.id)
    for (const { textChannelId, voiceChannelId } of app.readings.of(channel.guildId)) {
      // Its threads went with it, from the cache of all channels too.
      const isIn = 'threads' in channel && channel.threads.cache.has(textChannelId)
      if (isIn) reader.forgetChannel(textChannelId)
      if (textChannelId === channel.id || voiceChannelId === channel.id || isIn) app.readings.remove(textChannelId)
    }
  })

  return {
    stop: () => stops.forEach((stop) => stop()),
    settled: () => notices.settled()
  }
}

/** Channels that were deleted while the bot was away. One that it only can't see, and a thread that was archived, is kept. */
async function forgetDeleted(client: Client, app: App): Promise<void> {
  const { readings, log } = app
  const forget = guarded(app, 'deleted channel', (id: string) => void readings.remove(id))
  for (const { textChannelId, voiceChannelId } of readings.all()) {
    for (const id of [textChannelId, voiceChannelId]) {
      if (client.channels.cache.has(id)) continue
      try {
        await client.channels.fetch(id)
      } catch (error) {
        if (error instanceof DiscordAPIError && error.code === RESTJSONErrorCodes.UnknownChannel) forget(textChannelId)
        else log.warn({ err: error, channel: id }, 'a channel that is read could not be looked up')
      }
    }
  }
}
