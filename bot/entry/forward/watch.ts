import type { Clock } from '../../core/clock.ts'

/** Who is to hear that it took too long. */
export interface Watched {
  onLate(): void
}

/**
 * The time that one request has: all of it, and what each of its parts may take. One timer for all: it is set anew when it rings too early, not with each
 * byte.
 */
export class Watch {
  readonly #clock: Clock
  readonly #totalDueMs: number
  #limitMs: number
  #dueMs: number
  #armedMs = Infinity
  #watched: Watched | undefined
  #cancel: (() => void) | undefined

  constructor(clock: Clock, totalMs: number) {
    this.#clock = clock
    this.#totalDueMs = clock.monotonic() + totalMs
    this.#limitMs = totalMs
    this.#dueMs = this.#totalDueMs
  }

  /** A part begins: it is late when nothing is heard for `limitMs`, or when the whole has taken too long. */
  within(limitMs: number, watched: Watched): void {
    this.#limitMs = limitMs
    this.#watched = watched
    this.heard()
  }

  /** Something has moved. */
  heard(): void {
    const nowMs = this.#clock.monotonic()
    this.#dueMs = Math.min(this.#totalDueMs, nowMs + this.#limitMs)
    if (this.#dueMs < this.#armedMs) this.#arm(nowMs)
  }

  release(): void {
    this.#cancel?.()
    this.#watched = undefined
  }

  #arm(nowMs: number) {
    this.#cancel?.()
    this.#armedMs = this.#dueMs
    this.#cancel = this.#clock.after(this.#dueMs - nowMs, () => this.#ring())
  }

  #ring() {
    const nowMs = this.#clock.monotonic()
    this.#armedMs = Infinity
    if (nowMs >= this.#dueMs) this.#watched?.onLate()
    else this.#arm(nowMs)
  }
}
