/** Something of which there are only so many, taken by one at a time: a place at an upstream is a connection. */
export interface Places<T> {
  /** Taken or waited for. */
  readonly load: number
  /** Whether one more would be taken, or may wait. */
  readonly hasRoom: boolean
  /** One that is free now. */
  take(): T | undefined
  /**
   * `onTurn` with the next one that gets free, in the order of asking; with undefined: there will be none. The returned function gives the turn up. Undefined when
   * too many wait already.
   */
  wait(onTurn: (place: T | undefined) => void): (() => void) | undefined
  give(place: T): void
  /** Nobody need wait here any more. */
  dismiss(): void
  /** All that were ever made. */
  all(): readonly T[]
}

/** Places are made when they are first needed; the one that was given back last is taken first: its connection is the freshest. */
export function createPlaces<T>({ size, waitingMax, make }: { size: number; waitingMax: number; make: () => T }): Places<T> {
  const made: T[] = []
  const free: T[] = []
  const waiting: ((place: T | undefined) => void)[] = []
  const taken = () => made.length - free.length

  return {
    get load() {
      return taken() + waiting.length
    },
    get hasRoom() {
      return taken() < size || waiting.length < waitingMax
    },
    take() {
      const place = free.pop()
      if (place !== undefined || made.length >= size) return place
      const another = make()
      made.push(another)
      return another
    },
    wait(onTurn) {
      if (waiting.length >= waitingMax) return undefined
      waiting.push(onTurn)
      return () => {
        const at = waiting.indexOf(onTurn)
        if (at !== -1) waiting.splice(at, 1)
      }
    },
    give(place) {
      const next = waiting.shift()
      if (next === undefined) free.push(place)
      else next(place)
    },
    dismiss() {
      for (const onTurn of waiting.splice(0)) onTurn(undefined)
    },
    all: () => made
  }
}
