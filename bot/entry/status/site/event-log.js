import { eachOf, h, setText } from './element.js'
import { isolate } from './language.js'
import { colorOf } from './node-state.js'
import { botNowMs } from './store.js'

const SHOWN_FIRST = 12
/** What a listener should hear of at once, whatever they are reading. */
const IMPORTANT = ['pool_down', 'pool_back', 'node_resting']
/** A pool that falls apart is told by its newest words. */
const TOLD_AT_ONCE_MAX = 3

/** What happened, the newest first. */
export function eventLog(speech, store) {
  const { say } = speech
  const list = h('ol', { class: 'events' })
  const none = h('p', { class: 'nothing' }, say('events.none'))
  const more = h('button', { type: 'button', class: 'button secondary show-more', onclick: showAll })
  const element = h('section', { class: 'area-events', 'aria-labelledby': 'events' },
    h('div', { class: 'section-head' }, h('h2', { id: 'events', tabindex: '-1' }, say('events.title'))), h('div', { class: 'card' }, list, none), more)
  const each = eachOf(list, { key: ({ id, at }) => `${id} ${at}`, create: (event) => row(event, speech) })

  function showAll() {
    element.querySelector('h2').focus()
    store.setLook({ areAllEvents: true })
  }

  return {
    element,
    update(state) {
      element.hidden = state.snapshot === null
      if (state.snapshot === null) return
      const { events } = state.snapshot
      const shown = state.look.areAllEvents ? events : events.slice(0, SHOWN_FIRST)
      each(shown, botNowMs(state))
      list.hidden = shown.length === 0
      none.hidden = shown.length > 0
      more.hidden = shown.length === events.length
      setText(more, say('events.more', { number: events.length - shown.length }))
    }
  }
}

function row(event, speech) {
  const time = h('time', { datetime: new Date(event.at).toISOString() })
  const dot = event.node ? h('span', { class: 'dot', style: { '--node': colorOf(event.node.color) }, 'aria-hidden': 'true' }) : h('span', { class: 'dot none', 'aria-hidden': 'true' })
  return {
    element: h('li', { class: `event ${event.kind}` }, time, dot, h('span', {}, eventWords(event, speech))),
    update: (_, nowMs) => setText(time, speech.time(event.at, nowMs))
  }
}

/** What happened as a sentence. A kind that this page does not know yet is called as the bot calls it. */
export function eventWords({ kind, node, code }, speech) {
  const { say, has } = speech
  const name = node ? isolate(node.label) : say('event.someNode')
  const what = has(`event.${kind}`) ? say(`event.${kind}`, { node: name }) : say('event.other', { node: name, kind })
  return code ? say('event.because', { what, why: speech.fault(code) }) : what
}

/** Hears of each snapshot, and gives what is to be read out of what happened since the one before; null for nothing. */
export function newsOf() {
  let told = null
  return ({ events, startedAt }, speech) => {
    const before = told
    told = { startedAt, id: Math.max(0, ...events.map(({ id }) => id)) }
    if (before === null) return null
    // A bot that was started again counts anew.
    const toldId = before.startedAt === startedAt ? before.id : 0
    const news = events.filter(({ id, kind }) => id > toldId && IMPORTANT.includes(kind)).slice(0, TOLD_AT_ONCE_MAX)
    return news.length === 0 ? null : news.reverse().map((event) => eventWords(event, speech)).join(' · ')
  }
}
