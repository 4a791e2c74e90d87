import { eachOf, h, setAttribute, setText } from './element.js'
import { nodeCard } from './node-card.js'
import { matching, nodeFilter } from './node-filter.js'
import { botNowMs, isBroken, listedAt } from './store.js'

/** More nodes than this get small cards, a search and filters, and keep them when they become fewer: the cards would have to be made anew. */
const FEW = 12
/** A longer list is not drawn whole before somebody asks for it. */
const SHOWN_FIRST = 24

/** All nodes, or those that were asked for. */
export function nodeList(speech, store, act) {
  const { say } = speech
  const asOf = h('p', { class: 'as-of' })
  const filter = nodeFilter(speech, store)
  const list = h('ul', { class: 'nodes' })
  const none = h('p', { class: 'nothing' }, say('nodes.noMatch'), ' ',
    h('button', { type: 'button', class: 'link', onclick: () => store.setLook({ filter: 'all', query: '' }) }, say('nodes.clear')))
  const more = h('button', { type: 'button', class: 'button secondary show-more', onclick: showAll })
  const element = h('section', { class: 'area-nodes', 'aria-labelledby': 'nodes' },
    h('div', { class: 'section-head' }, h('h2', { id: 'nodes' }, say('nodes.title')), asOf), filter.element, list, none, more)
  let isMany = false
  const each = eachOf(list, { key: ({ id, isCompact }) => `${id} ${isCompact}`, create: (node) => nodeCard(node, { speech, store, act, isCompact: node.isCompact }) })

  /** The button goes; whoever pressed it goes on at the first card that is new. */
  function showAll() {
    const before = new Set(list.children)
    store.setLook({ areAllNodes: true })
    queueMicrotask(() => {
      const card = [...list.children].find((each) => !before.has(each))
      card?.setAttribute('tabindex', '-1')
      card?.focus()
    })
  }

  return {
    element,
    update(state) {
      const { snapshot, look } = state
      element.hidden = snapshot === null || snapshot.nodes.length === 0
      if (snapshot === null) return
      isMany ||= snapshot.nodes.length > FEW
      list.classList.toggle('many', isMany)
      const found = isMany ? matching(snapshot.nodes, look, speech.language) : snapshot.nodes
      const first = new Set(look.areAllNodes ? found : found.slice(0, SHOWN_FIRST))
      const isShown = (node) => first.has(node) || isHeld(node, state)
      const shown = snapshot.nodes.filter(isShown)
      const moreCount = found.length - found.filter(isShown).length
      filter.update(state, { isMany, found: found.length })
      const hadFocus = list.contains(document.activeElement)
      each(shown.map((node) => ({ ...node, isCompact: isMany })), state)
      if (hadFocus && !list.contains(document.activeElement)) document.getElementById('status').focus({ preventScroll: true })
      none.hidden = found.length > 0
      more.hidden = moreCount === 0
      setText(more, say('nodes.more', { number: moreCount }))
      const isOld = isBroken(state) || snapshot.registry.isStale
      setAttribute(element, 'data-old', isOld)
      const asOfMs = isBroken(state) ? snapshot.now : listedAt(state)
      asOf.hidden = !isOld || asOfMs === null
      if (!asOf.hidden) setText(asOf, say('nodes.asOf', { time: speech.time(asOfMs, botNowMs(state)) }))
    }
  }
}

/** What somebody is dealing with stays in sight, wherever its new state has put it, until they look for something else. */
function isHeld({ id }, { acts }) {
  return acts.get(id)?.isHeld === true || document.activeElement?.closest('.node')?.dataset.node === id
}
