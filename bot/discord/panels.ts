import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'

/** A message that keeps itself up to date while its interaction's token lives. */
export interface Live<Content> {
  /** What it should read now. */
  render(): Promise<Content>
  edit(content: Content): Promise<unknown>
  /** Its last words, when it is not kept up to date any more; its buttons still work. */
  ended(): Promise<Content>
}

export interface Panels {
  /**
   * Keeps a message up to date until its token dies, or until too many newer ones are. The same message again begins anew, with its new token.
   * @param shown what it reads already
   */
  keep<Content>(messageId: string, shown: Content, live: Live<Content>): void
  /** Leaves a message alone: somebody else is about to change it. */
  leave(messageId: string): void
  /** Messages that are kept up to date now. */
  count(): number
  /** All say that they are not kept up to date any more, and whatever comes later too. */
  close(): Promise<void>
}

/** Discord takes five edits in 5 s for one message; one is all that people can read. */
const REFRESH_MS = 5_000

/** A minute before the token dies. */
export const LIVE_MS = 14 * 60_000

/** All together make less than two edits a second. */
const LIVE_MAX = 8

export function createPanels({ clock, log }: { clock: Clock; log: Log }): Panels {
  /** The oldest first; what ends each. */
  const kept = new Map<string, (saysSo: boolean) => Promise<void>>()
  let isClosed = false

  return {
    keep(messageId, first, live) {
      void kept.get(messageId)?.(false)
      const untilMs = clock.monotonic() + LIVE_MS
      let shown = JSON.stringify(first)
      let cancel = clock.after(REFRESH_MS, () => void refresh())
      let isOver = false

      const warn = (error: unknown) => {
        isOver = true
        if (kept.get(messageId) === end) kept.delete(messageId)
        log.debug({ err: error }, 'a panel could not be refreshed')
      }
      async function refresh(): Promise<void> {
        try {
          if (clock.monotonic() >= untilMs) {
            await end(true)
            return
          }
          const content = await live.render()
          const text = JSON.stringify(content)
          if (text !== shown && !isOver) await live.edit(content)
          shown = text
        } catch (error) {
          // It was dismissed, most likely: nobody looks any more.
          warn(error)
        }
        if (!isOver) cancel = clock.after(REFRESH_MS, () => void refresh())
      }
      async function end(saysSo: boolean): Promise<void> {
        isOver = true
        cancel()
        if (kept.get(messageId) === end) kept.delete(messageId)
        if (saysSo) await live.ended().then((content) => live.edit(content)).catch(warn)
      }

      if (isClosed) {
        void end(true)
        return
      }
      kept.set(messageId, end)
      const [oldest] = kept.values()
      if (kept.size > LIVE_MAX) void oldest?.(true)
    },
    leave: (messageId) => void kept.get(messageId)?.(false),
    count: () => kept.size,
    async close() {
      isClosed = true
      await Promise.all(Array.from(kept.values(), (end) => end(true)))
    }
  }
}
