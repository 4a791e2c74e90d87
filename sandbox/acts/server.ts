import { placeOf } from '../find.ts'
import type { Place } from '../find.ts'
import type { BotVoice } from '../gateway/bot-voice.ts'
import type { Channel, World } from '../world.ts'
import { setVoiceState } from '../voice-states.ts'
import { Refusal } from './refusal.ts'

/** What the owner of a server does to it; the bot hears of it as of everything else. */
export function serverActs(world: World, botVoice: BotVoice) {
  const botId = world.application.id

  function known(channelId: string): Place {
    const place = placeOf(world, channelId)
    if (!place) throw new Refusal('There is no such channel.')
    return place
  }

  return {
    /** Allows and denies roles and members of a channel, in place of what was said before. */
    setOverwrites(channelId: string, overwrites: Channel['overwrites']): void {
      const { channel } = known(channelId)
      channel.overwrites = [...overwrites]
      world.events.emit('channelChanged', channel)
    },

    /** What a role may do in the whole server; the role of everybody has the server's id. */
    setPermissions(guildId: string, roleId: string, permissions: bigint): void {
      const role = world.guilds.get(guildId)?.roles.get(roleId)
      if (!role) throw new Refusal('There is no such role.')
      role.permissions = permissions
      world.events.emit('roleChanged', guildId, role)
    },

    /** The channel goes, and who spoke there is out. */
    deleteChannel(channelId: string): void {
      const { guild, channel } = known(channelId)
      for (const { userId } of [...guild.voiceStates.values()].filter((state) => state.channelId === channelId)) {
        if (userId === botId) botVoice.put(guild.id, null)
        else setVoiceState(world, guild.id, userId, null)
      }
      guild.channels.delete(channelId)
      // Threads go with their channel, without a word about each.
      for (const { id, parentId } of guild.channels.values()) if (parentId === channelId) guild.channels.delete(id)
      world.events.emit('channelDeleted', channel)
    },

    /** The bot is thrown out of the server. */
    removeBot(guildId: string): void {
      botVoice.put(guildId, null)
      if (world.guilds.get(guildId)?.members.delete(botId)) world.events.emit('botRemoved', guildId)
    }
  }
}
