import { moment, sinceMs } from './elapsed.js'

/**
 * All that the page knows: the newest snapshot and when it came, how the connection is, whether somebody is admin, what is asked of nodes, and what
 * the person chose to look at.
 * `subscribe` hears of every change, at most once per turn of the event loop.
 */
export function createStore() {
  const state = {
    snapshot: null,
    receivedAt: null,
    /** `phase`: connecting, live, polled (the bot answers, but has no stream to spare) or waiting (for the next try). */
    link: { phase: 'connecting', lostAt: null, retryAtMs: null },
    /** `gone`: the node that the notice of that name is about, and what was asked of it. */
    admin: { isAdmin: false, until: null, isOpening: false, notice: null, gone: null },
    /** By node's id: what was asked of it last, whether it is held in sight for that, and the answer, null while it is under way. */
    acts: new Map(),
    look: { filter: 'all', query: '', areAllNodes: false, areAllEvents: false }
  }
  const listeners = new Set()
  let told = true

  const set = (change) => {
    Object.assign(state, change)
    if (!told) return
    told = false
    queueMicrotask(() => {
      told = true
      for (const listener of listeners) listener(state)
    })
  }

  return {
    state,
    set,
    setLook: (change) => set({ look: { ...state.look, ...change }, ...('filter' in change || 'query' in change ? { acts: letGo(state.acts) } : {}) }),
    setAdmin: (change) => set({ admin: { ...state.admin, ...change } }),
    setAct: (id, change) => set({ acts: new Map(state.acts).set(id, { ...state.acts.get(id), ...change }) }),
    take: (snapshot) => set({ snapshot, receivedAt: moment(), acts: ofListed(state.acts, snapshot) }),
    /** Until the returned function is called. */
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    }
  }
}

/** Milliseconds since the snapshot came: all its ages are older by that. */
export const sinceReceivedMs = (state) => sinceMs(state.receivedAt)

/** The bot's clock as far as the page knows; this device's may be another. */
export const botNowMs = (state) => (state.snapshot === null ? Date.now() : state.snapshot.now + sinceReceivedMs(state))

/** Lost for this long, it is worth a sentence; a shorter while is only a mark. */
const WORTH_SAYING_MS = 5_000

/** Whether the bot does not answer, and what is shown is old. */
export function isBroken({ link, snapshot }) {
  return link.lostAt !== null && (snapshot === null || sinceMs(link.lostAt) >= WORTH_SAYING_MS)
}

/** When the list of nodes was made, by the bot's clock; null: it never had one. */
export function listedAt(state) {
  const { ageMs } = state.snapshot.registry
  return ageMs === null ? null : botNowMs(state) - ageMs - sinceReceivedMs(state)
}

/** Whole seconds until then by the clock that timers go by, never fewer than none. */
export const secondsTo = (atMs) => Math.max(0, Math.ceil((atMs - performance.now()) / 1_000))

/** Who looks for something else is done with what was dealt with before. */
const letGo = (acts) => new Map([...acts].map(([id, asked]) => [id, { ...asked, isHeld: false }]))

/** What came of an act goes with its node: one that comes back is another start. */
function ofListed(acts, { nodes }) {
  const listed = new Set(nodes.map(({ id }) => id))
  return new Map([...acts].filter(([id, { answer }]) => answer === null || listed.has(id)))
}
