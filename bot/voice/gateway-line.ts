import type { DiscordGatewayAdapterCreator, DiscordGatewayAdapterLibraryMethods } from '@discordjs/voice'

/** A session's line to the gateway. It stays while voice connections come and go: the newest of them alone is told, and asks once. */
export interface GatewayLine {
  /** For the next connection; those before it hear no more. */
  readonly adapterCreator: DiscordGatewayAdapterCreator
  /** Says that the bot leaves the guild's channels; false while the gateway is down. */
  leave(): boolean
  /** Gives up the guild's place at the gateway, which must be before another session takes it. */
  close(): void
}

type ServerUpdate = Parameters<DiscordGatewayAdapterLibraryMethods['onVoiceServerUpdate']>[0]

/**
 * @param onPlace the gateway says in which channel the bot is now
 * @param onGone there is no gateway for this guild any more
 */
export function openLine(options: { guildId: string; adapterCreator: DiscordGatewayAdapterCreator; onPlace: (channelId: string | null) => void; onGone: () => void }): GatewayLine {
  const { guildId, onPlace, onGone } = options
  let newest: DiscordGatewayAdapterLibraryMethods | undefined
  let hasState = false
  /** A server that was told before the state it belongs to: the library would wait for another one for ever. */
  let early: ServerUpdate | undefined

  const gateway = options.adapterCreator({
    onVoiceStateUpdate(state) {
      if (state.channel_id !== null) {
        newest?.onVoiceStateUpdate(state)
        hasState = true
        if (early !== undefined) newest?.onVoiceServerUpdate(early)
        early = undefined
      }
      onPlace(state.channel_id)
    },
    onVoiceServerUpdate(server) {
      if (hasState) newest?.onVoiceServerUpdate(server)
      else early = server
    },
    destroy: onGone
  })

  return {
    adapterCreator(methods) {
      newest = methods
      hasState = false
      early = undefined
      let asked = false
      return {
        // The library asks again by itself, at once and for ever, when its socket closes: when to ask is ours to say.
        sendPayload(payload: unknown) {
          if (asked || newest !== methods) return true
          asked = true
          return gateway.sendPayload(payload)
        },
        destroy() {
          if (newest === methods) newest = undefined
        }
      }
    },
    leave: () => gateway.sendPayload({ op: 4, d: { guild_id: guildId, channel_id: null, self_deaf: true, self_mute: false } }),
    close: () => gateway.destroy()
  }
}
