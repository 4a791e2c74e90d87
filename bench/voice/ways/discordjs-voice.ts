import { AudioPlayerStatus, VoiceConnectionStatus, createAudioPlayer, createAudioResource, entersState, joinVoiceChannel } from '@discordjs/voice'
import type { Place } from '../places.ts'
import type { Speech } from '../speech.ts'

const READY_LIMIT_MS = 20_000

/** As the guide of discord.js has it: a player each, and a resource made of the WAV file, which FFmpeg turns into Opus. */
export async function speakWithFfmpeg(places: readonly Place[], { wavPath }: Speech): Promise<void> {
  await Promise.all(
    places.map(async ({ view, channelId }) => {
      const connection = joinVoiceChannel({ guildId: view.guildId, channelId, adapterCreator: view.adapterCreator })
      await entersState(connection, VoiceConnectionStatus.Ready, READY_LIMIT_MS)
      const player = createAudioPlayer()
      connection.subscribe(player)
      const say = () => player.play(createAudioResource(wavPath, { inlineVolume: false }))
      player.on(AudioPlayerStatus.Idle, say)
      player.on('error', (error) => {
        throw error
      })
      say()
    })
  )
}
