import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { BaseExtractor, Player, QueueRepeatMode, Track } from 'discord-player'
import type { ExtractorInfo, SearchQueryType } from 'discord-player'
import type { Place } from '../places.ts'
import type { Speech } from '../speech.ts'

/** A file on this disk, which FFmpeg reads and its own library encodes. */
class SpeechFile extends BaseExtractor {
  static override identifier = 'voxpool.bench.speech'

  override async validate(_query: string, _type?: SearchQueryType | null): Promise<boolean> {
    return true
  }

  override async handle(query: string): Promise<ExtractorInfo> {
    const track = new Track(this.context.player, { title: 'speech', author: 'bench', url: query, thumbnail: '', description: '', duration: '0:08', views: 0, source: 'arbitrary' })
    track.extractor = this
    return this.createResponse(null, [track])
  }

  override async stream(track: Track): Promise<Readable> {
    return createReadStream(track.url)
  }
}

/** discord-player as it comes, one queue a server, the same speech again and again. */
export async function speakWithDiscordPlayer(places: readonly Place[], { wavPath }: Speech): Promise<void> {
  const [first] = places
  if (first?.discord === undefined) throw new Error('discord-player wants a whole Discord')
  const player = new Player(first.discord.client as ConstructorParameters<typeof Player>[0])
  player.events.on('playerError', (_, error) => {
    throw error
  })
  await player.extractors.register(SpeechFile, {})
  await Promise.all(
    places.map(({ discord }) => player.play(discord?.channel as Parameters<typeof player.play>[0], wavPath, { nodeOptions: { repeatMode: QueueRepeatMode.TRACK } }))
  )
}
