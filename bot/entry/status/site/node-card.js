import { h, icon, setAttribute, setText } from './element.js'
import { isolate } from './language.js'
import { nodeActions } from './node-actions.js'
import { colorOf, lookOf, stateWord } from './node-state.js'
import { botNowMs, sinceReceivedMs } from './store.js'

/**
 * A node: its name, how it is, its load and its figures. In a pool of many the figures, the faults and what an admin can do are folded.
 * The colour is that of its edge alone, since it may be any.
 */
export function nodeCard(node, { speech, store, act, isCompact }) {
  const { say } = speech
  const label = h(isCompact ? 'b' : 'h3', { class: 'label', id: `node-${node.id}` })
  const state = h('span', { class: 'chip' })
  const about = h('p', { class: 'about' })
  const load = loadBar(speech)
  const figures = figureList(speech)
  const alone = h('p', { class: 'alone' }, say('node.alone'))
  const faults = faultList(speech)
  const actions = nodeActions(node.id, speech, { store, act })
  const head = h('span', { class: 'node-head' }, label, state)
  const details = [figures.element, alone, faults.element, actions.element]
  const element = h('li', { class: 'node', 'aria-labelledby': `node-${node.id}`, 'data-testid': 'node', 'data-node': node.id },
    isCompact
      ? h('details', {}, h('summary', {}, head, load.element), about, details)
      : [head, about, load.element, details])
  let shown = ''

  return {
    element,
    update(now, page) {
      const look = lookOf(now.state)
      element.style.setProperty('--node', colorOf(now.color))
      element.dataset.tone = look.tone
      setText(label, now.label)
      setAttribute(label, 'title', now.label)
      if (shown !== now.state) {
        shown = now.state
        state.dataset.tone = look.tone
        state.replaceChildren(icon(look.sign), stateWord(now.state, speech))
      }
      setText(about, [now.engine === null ? '' : isolate(now.engine), now.voices === null ? '' : say('node.voices', { number: now.voices })].filter(Boolean).join(' · '))
      about.hidden = about.textContent === ''
      load.update(now)
      figures.update(now, page)
      alone.hidden = now.isAlone !== true
      faults.update(now.faults, page)
      actions.update(now, page)
    }
  }
}

function loadBar({ say }) {
  const filled = h('span', { class: 'filled' })
  const words = h('span', { class: 'load-words' })
  const full = h('strong', { class: 'full' }, say('node.full'))
  return {
    element: h('span', { class: 'load' }, h('span', { class: 'bar', 'aria-hidden': 'true' }, filled), h('span', {}, words, ' ', full)),
    update({ members, capacity }) {
      const share = members === null || capacity <= 0 ? 0 : Math.min(1, members / capacity)
      filled.style.setProperty('--share', String(share))
      full.hidden = share < 1
      setText(words, members === null ? say('node.membersUnknown', { all: capacity }) : say('node.members', { part: members, all: capacity }))
    }
  }
}

function figureList(speech) {
  const { say } = speech
  const names = ['inFlight', 'latency', 'age', 'since']
  const values = Object.fromEntries(names.map((name) => [name, h('dd')]))
  return {
    element: h('dl', { class: 'figures' }, names.map((name) => h('div', {}, h('dt', {}, say(`node.${name}`)), values[name]))),
    update(node, page) {
      const { p50Ms, p95Ms, ageMs } = node
      const running = Math.min(node.inFlight, node.concurrency)
      const waiting = node.inFlight - running
      setText(values.inFlight, say(waiting === 0 ? 'stat.of' : 'node.queued', { part: running, all: node.concurrency, waiting }))
      const slow = p95Ms === null ? null : speech.seconds(p95Ms)
      const median = p50Ms === null ? say('node.none') : speech.seconds(p50Ms)
      setText(values.latency, p50Ms === null || slow === null ? median : say('node.latencyOf', { median, slow }))
      const ago = ageMs === null ? say('node.none') : speech.ago(ageMs + sinceReceivedMs(page))
      setText(values.age, node.isStale ? say('node.overdue', { ago }) : ago)
      setAttribute(values.age, 'class', node.isStale && 'overdue')
      setText(values.since, say('node.sinceOf', { time: speech.time(node.stateSince, botNowMs(page)) }))
    }
  }
}

/** The last fault in words, those before it folded. */
function faultList(speech) {
  const { say } = speech
  const last = h('span')
  const summary = h('summary')
  const list = h('ul')
  const older = h('details', {}, summary, list)
  const element = h('div', { class: 'faults' }, h('p', {}, h('span', { class: 'faults-name' }, `${say('node.lastFault')}: `), last), older)
  return {
    element,
    update([first, ...others], page) {
      const told = ({ code, at }) => say('node.fault', { what: speech.fault(code), ago: speech.ago(botNowMs(page) - at) })
      element.hidden = first === undefined
      if (first === undefined) return
      setText(last, told(first))
      setAttribute(older, 'hidden', others.length === 0)
      setText(summary, say('node.olderFaults', { number: others.length }))
      while (list.children.length > others.length) list.lastElementChild.remove()
      while (list.children.length < others.length) list.append(h('li'))
      others.forEach((fault, at) => setText(list.children[at], told(fault)))
    }
  }
}
