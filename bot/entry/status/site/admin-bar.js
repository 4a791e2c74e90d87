import { h, icon, setAttribute, setHidden, setSentence, setText } from './element.js'
import { botNowMs } from './store.js'

/** Says that one is admin, and until when; and what became of a link or a session. */
export function adminBar({ say, time }, admin) {
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
      if (isAdmin && untilMs !== null && botNowMs(state) >= untilMs) return admin.over()
      const status = document.getElementById('status')
      setHidden(bar, !isAdmin, status)
      setHidden(notice, !isOpening && said === null, status)
      setAttribute(notice, 'data-tone', isOpening || said === 'left' ? 'calm' : 'warn')
      setHidden(again, isOpening || said !== 'failed', status)
      setHidden(close, isOpening, status)
      setSentence(words, isOpening ? say('admin.opening') : said === null ? '' : say(`admin.${said}`))
      setText(until, untilMs === null ? '' : say('admin.until', { time: time(untilMs, botNowMs(state)) }))
    }
  }
}
