import { h, icon, setAttribute, setSentence, setText } from './element.js'
import { liveMark } from './live-mark.js'
import { sumsOf } from './node-state.js'
import { botNowMs, isBroken, listedAt, secondsTo } from './store.js'

const SIGNS = { good: 'check', warn: 'alert', bad: 'cross', off: 'dots' }
const TONES = { ok: 'good', degraded: 'warn', stale: 'warn', down: 'bad', broken: 'bad', empty: 'off', unlisted: 'warn' }

/** The one sentence that says how the pool is, what it means, and the numbers that go with it. */
export function verdict(speech, store, retry) {
  const { say } = speech
  const sign = h('span', { class: 'sign', 'aria-hidden': 'true' })
  const title = h('h1', { id: 'status', tabindex: '-1' })
  const more = h('p', { class: 'more' })
  const link = h('a', { class: 'button primary', href: '/docs/nodes' }, say('verdict.empty.link'))
  const button = h('button', { type: 'button', class: 'button primary', onclick: retry }, say('verdict.broken.retry'))
  const next = h('span', { class: 'next' })
  const again = h('p', { class: 'again' }, button, next)
  const mark = liveMark(speech)
  const stats = statList(speech)
  const element = h('section', { class: 'verdict', 'aria-labelledby': 'status' },
    h('div', { class: 'verdict-head' }, sign, h('div', { class: 'verdict-words' }, title, more, h('p', { class: 'verdict-link' }, link), again), mark.element),
    stats.element)
  let shown = ''

  return {
    element,
    update(state) {
      const kind = kindOf(state)
      const isWaiting = state.link.retryAtMs !== null
      if (kind !== shown) {
        shown = kind
        element.dataset.tone = TONES[kind]
        sign.replaceChildren(icon(SIGNS[TONES[kind]]))
      }
      setText(title, say(`verdict.${kind}`))
      setSentence(more, wordsOf(kind, state, speech))
      link.parentElement.hidden = kind !== 'empty'
      again.hidden = kind !== 'broken'
      button.disabled = !isWaiting
      setText(next, isWaiting ? say('verdict.broken.next', { seconds: secondsTo(state.link.retryAtMs) }) : say('verdict.broken.trying'))
      mark.update(state)
      stats.element.hidden = state.snapshot === null || state.snapshot.nodes.length === 0
      setAttribute(stats.element, 'data-old', isBroken(state))
      if (state.snapshot !== null) stats.update(state.snapshot)
    }
  }
}

/** The worst that is true, and of a lost connection first: what is known is old then. */
export function kindOf(state) {
  const { snapshot } = state
  if (isBroken(state)) return 'broken'
  const { nodes, registry } = snapshot
  if (nodes.length === 0 && registry.ageMs === null) return 'unlisted'
  if (snapshot.state !== 'down' && registry.isStale) return 'stale'
  return snapshot.state
}

function wordsOf(kind, state, { say, time }) {
  const nowMs = botNowMs(state)
  if (kind === 'broken') {
    if (!navigator.onLine) return say('verdict.broken.offline')
    return state.snapshot === null ? say('verdict.broken.never') : say('verdict.broken.more', { time: time(state.snapshot.now, nowMs) })
  }
  if (kind !== 'stale') return say(`verdict.${kind}.more`)
  const listedAtMs = listedAt(state)
  if (listedAtMs === null) return say('verdict.stale.never')
  return say(state.snapshot.nodes.length === 0 ? 'verdict.stale.none' : 'verdict.stale.more', { time: time(listedAtMs, nowMs) })
}

function statList({ say, number }) {
  const stat = (name) => {
    const figure = h('b')
    const whole = h('span', { class: 'whole' })
    const note = h('dd', { class: 'note' })
    return { figure, whole, note, element: h('div', { class: 'stat' }, h('dt', {}, say(`stat.${name}`)), h('dd', { class: 'value' }, figure, ' ', whole), note) }
  }
  const [speak, members, waiting, reading] = ['speak', 'members', 'waiting', 'reading'].map(stat)
  return {
    element: h('dl', { class: 'stats' }, [speak, members, waiting, reading].map(({ element }) => element)),
    update(snapshot) {
      const sums = sumsOf(snapshot.nodes)
      setText(speak.figure, number(sums.speak))
      setText(speak.whole, say('stat.whole', { all: sums.all }))
      setText(speak.note, sums.out === 0 ? say('stat.allOn') : say('stat.out', { number: sums.out }))
      setText(members.figure, number(sums.members))
      setText(members.whole, say('stat.whole', { all: sums.capacity }))
      setText(members.note, say('stat.membersNote'))
      setText(waiting.figure, number(snapshot.waiting))
      setText(waiting.note, say('stat.inFlight', { number: Math.max(0, snapshot.inFlight - snapshot.waiting) }))
      setText(reading.figure, number(snapshot.reading))
      setText(reading.note, say('stat.speaking', { number: snapshot.speaking }))
    }
  }
}
