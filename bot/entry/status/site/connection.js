import { moment, sinceMs } from './elapsed.js'
import { isBroken } from './store.js'

/** The bot beats every 10 s; three missed beats mean that the stream is dead though nobody closed it. */
const SILENCE_LIMIT_MS = 30_000
const WAITS_MS = [1_000, 2_000, 4_000, 8_000, 15_000]
const POLL_MS = 15_000
/** A stream that was cut is opened anew; one that is refused so often is not to be had. */
const TRIES_TO_POLL = 3
const POLL_LIMIT_MS = 10_000
/** A browser has six connections for all its tabs: one that nobody looks at for this long lets go of its own. */
const UNSEEN_LIMIT_MS = 30_000

/**
 * Keeps the store fed from the bot's events, by one stream at a time, and reconnects for ever: after 1, 2, 4, 8, then every 15 s, and at once when the
 * device is back on the network or somebody looks at the page. A bot that has no stream to spare is asked every 15 s instead. A page that is not seen
 * rests.
 * The returned function tries again at once.
 */
export function connect(store) {
  let source = null
  let heardAt = moment()
  let tries = 0
  let retry = 0
  let attempt = 0
  let resting = 0

  const heard = () => (heardAt = moment())

  function close() {
    attempt += 1
    clearTimeout(retry)
    source?.close()
    source = null
  }

  /** Without a stream, and on the way to the next. */
  function begin(lostAt) {
    close()
    const { phase } = store.state.link
    store.set({ link: { phase: phase === 'polled' ? 'polled' : 'connecting', lostAt, retryAtMs: null } })
  }

  function open() {
    begin(store.state.link.lostAt)
    heard()
    source = new EventSource('/api/events')
    source.addEventListener('beat', heard)
    source.addEventListener('snapshot', (event) => {
      heard()
      tries = 0
      store.take(JSON.parse(event.data))
      if (store.state.link.phase !== 'live') store.set({ link: { phase: 'live', lostAt: null, retryAtMs: null } })
    })
    source.addEventListener('error', () => void lost())
  }

  async function lost() {
    close()
    const mine = attempt
    const { phase, lostAt } = store.state.link
    const waitMs = WAITS_MS[Math.min(tries, WAITS_MS.length - 1)]
    tries += 1
    const isPolled = phase === 'polled'
    if (!isPolled) wait(waitMs, { phase: 'waiting', lostAt: lostAt ?? moment() })
    const snapshot = await ask()
    if (mine !== attempt) return
    if (snapshot === null) {
      if (isPolled) wait(waitMs, { phase: 'waiting', lostAt: moment() })
      return
    }
    store.take(snapshot)
    if (tries >= TRIES_TO_POLL) wait(POLL_MS, { phase: 'polled', lostAt: null })
    else store.set({ link: { ...store.state.link, lostAt: null } })
  }

  function wait(waitMs, link) {
    clearTimeout(retry)
    store.set({ link: { ...link, retryAtMs: performance.now() + waitMs } })
    retry = setTimeout(open, waitMs)
  }

  /** What a person or the device gives a reason for: not what is live, or being tried, already. */
  function openIfLost() {
    if (source === null || isSilent()) open()
  }

  /** What is not told as lost by now is not told while it rests. */
  const rest = () => begin(isBroken(store.state) ? store.state.link.lostAt : null)

  function attend() {
    clearTimeout(resting)
    if (isSeen()) openIfLost()
    else resting = setTimeout(rest, UNSEEN_LIMIT_MS)
  }

  const isSilent = () => sinceMs(heardAt) > SILENCE_LIMIT_MS

  setInterval(() => {
    if (source !== null && isSilent()) void lost()
  }, 2_000)
  document.addEventListener('visibilitychange', attend)
  window.addEventListener('online', () => isSeen() && openIfLost())
  window.addEventListener('offline', () => source !== null && void lost())
  // A page that the browser had put aside comes back with its stream cut.
  window.addEventListener('pagehide', close)
  window.addEventListener('pageshow', (event) => event.persisted && open())
  open()
  attend()
  return openIfLost
}

const isSeen = () => document.visibilityState === 'visible'

/** The snapshot asked for once, or null. */
async function ask() {
  try {
    const response = await fetch('/api/status', { signal: window.AbortSignal.timeout(POLL_LIMIT_MS) })
    return response.ok ? await response.json() : null
  } catch {
    return null
  }
}
