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
    if (isUnderWay(store.state.acts.get(id)) || !(await askFirst(act, node, speech))) return
    store.setAct(id, { act, isHeld: true, answer: null })
    store.setAct(id, { answer: await ask(id, act) })
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

function outcomeOf(asked, speech) {
  if (asked === undefined) return { tone: 'calm', words: '' }
  const { act, answer } = asked
  if (answer === null) return { tone: 'calm', words: speech.say(`act.${act}.doing`) }
  if (!answer.ok) return { tone: 'bad', words: refusedWords(answer.code, speech) }
  const { words, isBad } = doneWords(act, answer.result, speech)
  return { tone: isBad ? 'bad' : 'good', words }
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
