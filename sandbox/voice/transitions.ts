import type { Clock } from '../../bot/core/clock.ts'

/** Discord waits about this long for members that do not say that they are ready. */
const LIMIT_MS = 2_000

/** Changes of the group that were announced and are not carried out yet: each waits until all are ready, for two seconds at most. */
export class Transitions<Who> {
  #lastId = 0
  readonly #clock: Clock
  readonly #execute: (id: number) => void
  readonly #pending = new Map<number, { waiting: Set<Who>; cancel: () => void }>()

  constructor(clock: Clock, execute: (id: number) => void) {
    this.#clock = clock
    this.#execute = execute
  }

  /** 1 to 65,535, then 1 again: 0 means "at once". */
  nextId(): number {
    this.#lastId = (this.#lastId % 0xffff) + 1
    return this.#lastId
  }

  begin(id: number, members: Iterable<Who>): void {
    this.#pending.set(id, { waiting: new Set(members), cancel: this.#clock.after(LIMIT_MS, () => this.#finish(id)) })
  }

  ready(id: number, member: Who): void {
    const transition = this.#pending.get(id)
    if (transition?.waiting.delete(member) && transition.waiting.size === 0) this.#finish(id)
  }

  /** Nobody waits for who has left. */
  forget(member: Who): void {
    for (const id of [...this.#pending.keys()]) this.ready(id, member)
  }

  close(): void {
    for (const { cancel } of this.#pending.values()) cancel()
    this.#pending.clear()
  }

  #finish(id: number): void {
    this.#pending.get(id)?.cancel()
    this.#pending.delete(id)
    this.#execute(id)
  }
}
