import { outcomeOf } from './act-outcome.js'
import { askFirst } from './confirm.js'
import { h, setHidden, setText } from './element.js'
import { isolate } from './language.js'

/** What an admin can do with a node in the state that it is in, and what came of it, in words. `act`: asks the bot for it, see `createAdmin`. */
export function nodeActions(id, speech, { store, act: ask }) {
  const { say } = speech
  const words = h('p', { class: 'outcome', role: 'status' })
  const button = (act) => h('button', { type: 'button', class: 'button secondary', onclick: () => void press(act) }, say(`act.${act}`))
  const buttons = Object.fromEntries(['test', 'enable', 'drain', 'disable'].map((act) => [act, button(act)]))
  const row = h('div', { class: 'acts' }, Object.values(buttons))
  const element = h('div', { class: 'actions' }, row, words)
  let node = null

  // By the time of the answer another card may stand here, in another language: it shows what the store has.
  async function press(act) {
    if (isUnderWay(store.state.acts.get(id))) return
    if (await askFirst(act, node, speech, store)) {
      store.setAct(id, { act, isHeld: true, answer: null })
      store.setAct(id, { answer: await ask(id, act) })
    }
    tellIfGone()
  }

  /** A node that has left has no card to say it on. */
  function tellIfGone() {
    const { snapshot, admin, acts } = store.state
    if (admin.isAdmin && snapshot.nodes.every((each) => each.id !== id)) store.setAdmin({ notice: 'gone', gone: { label: node.label, asked: acts.get(id) } })
  }

  return {
    element,
    update(now, { admin: { isAdmin }, acts }) {
      node = now
      const asked = acts.get(id)
      const outcome = outcomeOf(asked, speech)
      element.dataset.tone = outcome.tone
      setText(words, outcome.words)
      element.hidden = !isAdmin && asked === undefined
      setHidden(row, !isAdmin, document.getElementById('status'))
      const isUsed = node.state !== 'disabled' && node.state !== 'draining'
      const offered = { test: true, enable: !isUsed, drain: isUsed, disable: node.state !== 'disabled' }
      for (const [act, each] of Object.entries(buttons)) {
        setHidden(each, !offered[act], buttons.test)
        // Not `disabled`: that would take the focus from whoever pressed it.
        each.setAttribute('aria-disabled', String(isUnderWay(asked)))
        each.setAttribute('aria-label', say('act.of', { act: say(`act.${act}`), node: isolate(node.label) }))
      }
    }
  }
}

const isUnderWay = (asked) => asked?.answer === null
