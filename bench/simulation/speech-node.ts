import type { Timeline } from './timeline.ts'

export interface Kind {
  concurrency: number
  /** One synthesis takes half to one and a half times as long. */
  serviceMs: number
}

export interface Job {
  /** When its member asked. */
  sinceMs: number
  onDone(waitMs: number): void
  /** The node died with it. */
  onLost(): void
}

export interface SpeechNode {
  readonly serverId: string
  readonly capacity: number
  readonly concurrency: number
  readonly serviceMs: number
  /** Where it lives, or lived last. */
  address(): string
  isAlive(): boolean
  /** When it last beat. */
  lastSeenMs(): number
  accept(job: Job): void
  waiting(): readonly Job[]
  die(): void
  /** Back, empty and at another address. */
  rise(): void
}

/** What really goes on at a node: a queue for its slots, shared by all bots that send there. */
export function createSpeechNode(serverId: string, capacity: number, { concurrency, serviceMs }: Kind, timeline: Timeline, random: () => number): SpeechNode {
  let starts = 1
  let diedMs: number | undefined
  let waiting: Job[] = []
  const running = new Set<Job>()

  function startNext() {
    while (running.size < concurrency) {
      const job = waiting.shift()
      if (job === undefined) return
      const waitMs = timeline.nowMs() - job.sinceMs
      running.add(job)
      timeline.after(serviceMs * (0.5 + random()), () => {
        // It may have died meanwhile, and this job with it.
        if (!running.delete(job)) return
        job.onDone(waitMs)
        startNext()
      })
    }
  }

  return {
    serverId,
    capacity,
    concurrency,
    serviceMs,
    address: () => `https://${serverId}-${starts}.example`,
    isAlive: () => diedMs === undefined,
    lastSeenMs: () => diedMs ?? timeline.nowMs(),
    accept(job) {
      waiting.push(job)
      startNext()
    },
    waiting: () => waiting,
    die() {
      diedMs = timeline.nowMs()
      const lost = [...running, ...waiting]
      running.clear()
      waiting = []
      for (const job of lost) job.onLost()
    },
    rise() {
      diedMs = undefined
      starts += 1
    }
  }
}
