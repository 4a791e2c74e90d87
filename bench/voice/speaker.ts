import { setTimeout } from 'node:timers/promises'
import { PACKET_MS } from '../../bot/audio/opus.ts'
import { bareTimerP99Ms } from './bare-timer.ts'
import type { Job, Measured, WayName } from './job.ts'
import { placesOf } from './places.ts'
import type { Place } from './places.ts'
import { watchSpacing } from './spacing.ts'
import type { Speech } from './speech.ts'
import { cpuMs, memoryBytes } from './usage.ts'

/** The bot that is measured, in a process of its own: it speaks everywhere at once, and sends its parent what that cost. */
type Way = (places: readonly Place[], speech: Speech) => Promise<void>

const ways: Readonly<Record<WayName, () => Promise<Way>>> = {
  ours: async () => (await import('./ways/ours.ts')).speakAsWeDo,
  'discord-player': async () => (await import('./ways/discord-player.ts')).speakWithDiscordPlayer,
  'discordjs-voice': async () => (await import('./ways/discordjs-voice.ts')).speakWithFfmpeg
}

/** Packets of every stream that have gone out before anything is measured. */
const FIRST_PACKETS = 25
const START_LIMIT_MS = 30_000

const job = JSON.parse(process.argv[2] ?? '') as Job
const bareP99Ms = await bareTimerP99Ms()
const watch = watchSpacing()
const speakEverywhere = await ways[job.way]()
const places = await placesOf(job)
globalThis.gc?.()
const beforeBytes = memoryBytes()
await speakEverywhere(places, job.speech)
for (let waitedMs = 0; watch.streams(FIRST_PACKETS) < places.length; waitedMs += 100) {
  if (waitedMs > START_LIMIT_MS) throw new Error(`${job.way}: ${watch.streams(FIRST_PACKETS)} of ${places.length} streams have begun`)
  await setTimeout(100)
}
await setTimeout(job.settleMs)

watch.forget()
const startMs = performance.now()
const startCpuMs = cpuMs()
await setTimeout(job.measureMs)
const usedMs = cpuMs() - startCpuMs
const windowMs = performance.now() - startMs
const spacing = watch.spacing()
globalThis.gc?.()
const measured: Measured = {
  streams: places.length,
  sent: watch.sent(),
  spacing,
  bareP99Ms,
  cpuPercent: (100 * usedMs) / (spacing.packets * PACKET_MS),
  speechShare: (spacing.packets * PACKET_MS) / (windowMs * places.length),
  memoryBytes: (memoryBytes() - beforeBytes) / places.length
}
process.send?.(measured, () => process.exit())
