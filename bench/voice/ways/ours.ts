import type { OpusStream } from '../../../bot/audio/ogg.ts'
import { systemClock } from '../../../bot/core/clock.ts'
import { silentLog } from '../../../bot/core/log.ts'
import { createMetrics } from '../../../bot/core/metrics.ts'
import { runAhead } from '../../../bot/speech/ahead.ts'
import { createPacer } from '../../../bot/voice/pacer.ts'
import type { Session } from '../../../bot/voice/session.ts'
import { createSessions } from '../../../bot/voice/sessions.ts'
import type { Over } from '../../../bot/voice/sessions.ts'
import type { Place } from '../places.ts'
import { readSpeech } from '../speech.ts'
import type { Speech } from '../speech.ts'

/** Discord lets one session of its gateway join about so many channels at once; a bot in more servers has several. */
const SERVERS_PER_SHARD = 40

/** The bot's own sessions, all on one beat; the packets are in memory, as the cache has them. */
export async function speakAsWeDo(places: readonly Place[], speech: Speech): Promise<void> {
  const stream = readSpeech(speech)
  const pacer = createPacer(systemClock)
  const metrics = createMetrics()
  const onOver = ({ guildId, reason }: Over) => {
    throw new Error(`the session of ${guildId} is over: ${reason}`)
  }
  const all: Session[] = []
  for (let next = 0; next < places.length; next += SERVERS_PER_SHARD) {
    const shard = createSessions({ clock: systemClock, pacer, log: silentLog, metrics, onOver })
    const joined = places.slice(next, next + SERVERS_PER_SHARD).map((place) => shard.open(place))
    await Promise.all(joined.map((session) => session.ready()))
    all.push(...joined)
  }
  all.forEach((session, index) => {
    const say = (audio: OpusStream) => {
      const placed = session.enqueue({ id: 'u', text: 'u', audio: runAhead([async () => audio], 1), cancel: () => {} }, { authorId: '1' })
      if (placed.ok) void placed.ended.then(() => say(stream))
    }
    // The first is cut, each elsewhere: nowhere do all servers end their sentences in the same moment. One waits while one plays.
    say({ ...stream, packets: stream.packets.slice((stream.packets.length * index) / all.length) })
    say(stream)
  })
}
