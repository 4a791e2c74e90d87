import { askFirst } from './confirm.js'
import { h, setText } from './element.js'
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
  let isBusy = false

  async function press(act) {
    if (isBusy || !(await askFirst(act, node, speech))) return
    isBusy = true
    show()
    element.dataset.tone = 'calm'
    setText(words, say(`act.${act}.doing`))
    const answer = await ask(id, act)
    isBusy = false
    const outcome = answer.ok ? doneWords(act, answer.result, speech) : { words: refusedWords(answer.code, speech), isBad: true }
    element.dataset.tone = outcome.isBad ? 'bad' : 'good'
    setText(words, outcome.words)
    show()
    // The button that was pressed may have gone with the state, and the focus with it.
    if (buttons[act].hidden && document.activeElement === document.body) buttons.test.focus({ preventScroll: true })
  }

  function show() {
    const isAdmin = store.state.admin.isAdmin
    element.hidden = !isAdmin && words.textContent === ''
    row.hidden = !isAdmin
    const isUsed = node.state !== 'disabled' && node.state !== 'draining'
    const offered = { test: true, enable: !isUsed, drain: isUsed, disable: node.state !== 'disabled' }
    for (const [act, each] of Object.entries(buttons)) {
      each.hidden = !offered[act]
      // Not `disabled`: that would take the focus from whoever pressed it.
      each.setAttribute('aria-disabled', String(isBusy))
      each.setAttribute('aria-label', say('act.of', { act: say(`act.${act}`), node: isolate(node.label) }))
    }
  }

  return {
    element,
    update(now) {
      node = now
      show()
    }
  }
}

function doneWords(act, result, speech) {
  const { say } = speech
  if (act === 'drain') return { words: say('act.drain.done', { moved: result.moved ?? 0 }) }
  if (act !== 'test') return { words: say(`act.${act}.done`) }
  if (result.spoke !== true) return { words: result.reason ? say('act.test.mute', { why: speech.fault(result.reason) }) : say('act.test.muteNoReason'), isBad: true }
  const seconds = speech.seconds(result.tookMs ?? 0)
  if (result.inLog === false) return { words: say('act.test.notInLog', { seconds }), isBad: true }
  return { words: say(result.inLog === true ? 'act.test.inLog' : 'act.test.well', { seconds }) }
}

const refusedWords = (code, { has, say }) => (has(`act.refused.${code}`) && code !== 'other' ? say(`act.refused.${code}`) : say('act.refused.other', { code: isolate(code) }))
