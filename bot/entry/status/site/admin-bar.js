import { outcomeOf } from './act-outcome.js'
import { h, icon, setAttribute, setHidden, setSentence, setText } from './element.js'
import { isolate } from './language.js'
import { botNowMs } from './store.js'

/** Says that one is admin, and until when; and what became of a link or a session. */
export function adminBar(speech, admin) {
  const { say, time } = speech
  const until = h('span', { class: 'until' })
  const leave = h('button', { type: 'button', class: 'button secondary', onclick: () => void admin.leave() }, say('admin.leave'))
  const bar = h('div', { class: 'admin-bar' }, h('p', {}, h('strong', {}, say('admin.is')), ' ', until), leave)
  const words = h('p')
  const again = h('button', { type: 'button', class: 'button secondary', onclick: () => void admin.again() }, say('admin.again'))
  const close = h('button', { type: 'button', class: 'round', 'aria-label': say('admin.close'), onclick: admin.close }, icon('cross'))
  const notice = h('div', { class: 'notice' }, words, again, close)
  const element = h('div', { class: 'admin', role: 'status' }, bar, notice)

  return {
    element,
    update(state) {
      const { isAdmin, until: untilMs, isOpening, notice: said } = state.admin
      if (isAdmin && untilMs !== null && state.snapshot !== null && botNowMs(state) >= untilMs) return admin.over()
      const status = document.getElementById('status')
      setHidden(bar, !isAdmin, status)
      setHidden(notice, !isOpening && said === null, status)
      setAttribute(notice, 'data-tone', isOpening || said === 'left' ? 'calm' : 'warn')
      setHidden(again, isOpening || said !== 'failed', status)
      setHidden(close, isOpening, status)
      setSentence(words, noticeWords(state.admin, speech))
      setText(until, untilMs === null ? '' : say('admin.until', { time: time(untilMs, botNowMs(state)) }))
    }
  }
}

function noticeWords({ isOpening, notice, gone }, speech) {
  const { say } = speech
  if (isOpening) return say('admin.opening')
  if (notice === null) return ''
  return say(`admin.${notice}`, notice === 'gone' && { node: isolate(gone.label), what: outcomeOf(gone.asked, speech).words })
}
