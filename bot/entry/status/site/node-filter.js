import { eachOf, h, icon, setAttribute, setText } from './element.js'
import { STATE_ORDER, lookOf, stateWord } from './node-state.js'

/** The search and the states to choose from, with how many are in each. */
export function nodeFilter(speech, store) {
  const { say, number } = speech
  const search = h('input', {
    type: 'search', class: 'search', 'aria-label': say('nodes.search'), placeholder: say('nodes.search'), autocomplete: 'off', spellcheck: 'false', value: store.state.look.query,
    oninput: () => store.setLook({ query: search.value })
  })
  const chips = h('div', { class: 'filters', role: 'group', 'aria-label': say('nodes.filter') })
  const result = h('p', { class: 'sr', role: 'status' })
  const element = h('div', { class: 'find' }, search, chips, result)
  const each = eachOf(chips, { key: ({ state }) => state, create: ({ state }) => chip(state) })
  let isFirst = true

  function chip(state) {
    const count = h('span', { class: 'count' })
    const button = h('button', { type: 'button', class: 'filter', onclick: () => store.setLook({ filter: state }) },
      state === 'all' ? null : icon(lookOf(state).sign), h('span', {}, state === 'all' ? say('nodes.all') : stateWord(state, speech)), count)
    return {
      element: button,
      update(item, chosen) {
        button.dataset.tone = state === 'all' ? 'calm' : lookOf(state).tone
        setAttribute(button, 'aria-pressed', String(state === chosen))
        setText(count, number(item.count))
      }
    }
  }

  return {
    element,
    update({ snapshot, look }, { isMany, found }) {
      element.hidden = !isMany
      if (!isMany) return
      if (search.value !== look.query) search.value = look.query
      each(countsOf(snapshot.nodes, look.filter), look.filter)
      // Told when somebody searches, not when the page opens.
      if (!isFirst || look.filter !== 'all' || look.query !== '') setText(result, say('nodes.shown', { number: found }))
      isFirst = false
    }
  }
}

/** A state that nothing is in any more stays while it is chosen. */
function countsOf(nodes, chosen) {
  const counts = new Map()
  for (const { state } of nodes) counts.set(state, (counts.get(state) ?? 0) + 1)
  const states = [...STATE_ORDER, ...[...counts.keys()].filter((state) => !STATE_ORDER.includes(state))]
  const present = states.filter((state) => counts.has(state) || state === chosen).map((state) => ({ state, count: counts.get(state) ?? 0 }))
  return [{ state: 'all', count: nodes.length }, ...present]
}

/** Those in the state that was chosen whose name or engine has the text. */
export function matching(nodes, { filter, query }, language) {
  const wanted = query.trim().toLocaleLowerCase(language)
  return nodes.filter(({ state, label, engine }) =>
    (filter === 'all' || state === filter) && `${label} ${engine ?? ''}`.toLocaleLowerCase(language).includes(wanted))
}
