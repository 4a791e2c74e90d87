import { h, setText } from './element.js'
import { botNowMs, isBroken, secondsTo } from './store.js'

/** How fresh the page is: live, connecting, reconnecting in so many seconds, asked every 15 s, or of when what stands there is. */
export function liveMark({ say, time }) {
  const words = h('span')
  const element = h('p', { class: 'live' }, h('span', { class: 'lamp', 'aria-hidden': 'true' }), words)
  return {
    element,
    update(state) {
      const { link, snapshot } = state
      const isOld = isBroken(state) && snapshot !== null
      element.dataset.phase = isOld ? 'old' : link.phase
      if (isOld) setText(words, say('live.old', { time: time(snapshot.now, botNowMs(state)) }))
      else if (link.phase === 'waiting') setText(words, say('live.waiting', { seconds: secondsTo(link.retryAtMs) }))
      else setText(words, say(`live.${link.phase}`))
    }
  }
}
