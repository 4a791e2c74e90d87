import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { rivalModule } from '../install-rivals.ts'
import type { Place } from '../places.ts'
import type { Speech } from '../speech.ts'

/** What of discord-player is used here. */
interface Library {
  BaseExtractor: new () => { context: { player: object }; createResponse(playlist: null, tracks: object[]): object }
  Player: new (client: unknown) => {
    events: { on(event: 'playerError', listener: (queue: object, error: Error) => void): void }
    extractors: { register(extractor: unknown, options: object): Promise<unknown> }
    play(channel: unknown, query: string, options: object): Promise<unknown>
  }
  QueueRepeatMode: { TRACK: number }
  Track: new (player: object, about: object) => { extractor?: object; url: string }
}

/** discord-player as it comes, one queue a server, the same speech again and again: a file on this disk, which FFmpeg reads and its own library encodes. */
export async function speakWithDiscordPlayer(places: readonly Place[], { wavPath }: Speech): Promise<void> {
  const [first] = places
  if (first?.discord === undefined) throw new Error('discord-player wants a whole Discord')
  const { BaseExtractor, Player, QueueRepeatMode, Track } = (await import(rivalModule('discord-player/dist/index.js'))) as Library

  class SpeechFile extends BaseExtractor {
    static identifier = 'voxpool.bench.speech'

    async validate(): Promise<boolean> {
      return true
    }

    async handle(query: string): Promise<object> {
      const track = new Track(this.context.player, { title: 'speech', author: 'bench', url: query, thumbnail: '', description: '', duration: '0:08', views: 0, source: 'arbitrary' })
      track.extractor = this
      return this.createResponse(null, [track])
    }

    async stream(track: { url: string }): Promise<Readable> {
      return createReadStream(track.url)
    }
  }

  const player = new Player(first.discord.client)
  player.events.on('playerError', (_, error) => {
    throw error
  })
  await player.extractors.register(SpeechFile, {})
  await Promise.all(places.map(({ discord }) => player.play(discord?.channel, wavPath, { nodeOptions: { repeatMode: QueueRepeatMode.TRACK } })))
}
