import { setTimeout } from 'node:timers/promises'
import { PACKET_MS } from '../../bot/audio/opus.ts'
import { quantile } from '../report.ts'

const BEATS = 150

/** The p99 of the time between two beats of 20 ms in a process that does nothing else: what this machine, at this moment, does to everybody. */
export async function bareTimerP99Ms(): Promise<number> {
  const stamps: number[] = []
  const startMs = performance.now()
  for (let beat = 1; beat <= BEATS; beat++) {
    await setTimeout(Math.max(0, startMs + beat * PACKET_MS - performance.now()))
    stamps.push(performance.now())
  }
  return quantile(stamps.slice(1).map((atMs, index) => atMs - (stamps[index] ?? atMs)), 0.99)
}
