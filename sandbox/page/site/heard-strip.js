import { h, icon } from './element.js'
import { player } from './player.js'
import { wavBlob } from './utterances.js'
import { peaksOf } from './waveform.js'

const BAR_PX = 3
const STEP_PX = 5
const REPLAY_BARS = 28

/** What was heard, for eyes: levels as they come, the number of packets, the last utterances to hear again, and the sound switch. */
export function heardStrip(heard, store) {
  const canvas = h('canvas', { class: 'levels', role: 'img', 'aria-label': 'Level of what is heard', 'data-testid': 'heard-level' })
  const status = h('p', { class: 'status', role: 'status', 'data-testid': 'heard-status' })
  const packets = h('b', { 'data-testid': 'heard-packets' }, '0')
  const count = h('b', { 'data-testid': 'heard-utterances' }, '0')
  const toggle = h('button', { type: 'button', class: 'sound', role: 'switch', 'data-testid': 'hear-live', onclick: () => heard.live.toggle() })
  const last = h('div', { class: 'last', 'data-testid': 'heard-last' })
  const element = h('section', { class: 'heard', 'aria-label': 'Heard in this channel' },
    h('div', { class: 'heard-head' }, h('h3', {}, 'Heard live'), toggle), canvas, status,
    h('p', { class: 'counts' }, 'Packets ', packets, ' · utterances ', count), last)
  let shownNumber = 0
  let shownUrl = ''
  let drawing = false

  function paint() {
    drawing = false
    const ratio = window.devicePixelRatio
    const { clientWidth: width, clientHeight: height } = canvas
    canvas.width = width * ratio
    canvas.height = height * ratio
    const pen = canvas.getContext('2d')
    pen.scale(ratio, ratio)
    const styles = window.getComputedStyle(canvas)
    const slots = Math.floor(width / STEP_PX)
    const recent = heard.levels.slice(-slots)
    for (let slot = 0; slot < slots; slot++) {
      const level = recent[slot - (slots - recent.length)] ?? 0
      const size = Math.max(3, level * height)
      pen.fillStyle = styles.getPropertyValue(level > 0.02 ? '--accent' : '--line-strong')
      pen.beginPath()
      pen.roundRect(slot * STEP_PX, (height - size) / 2, BAR_PX, size, BAR_PX / 2)
      pen.fill()
    }
  }

  function showLast() {
    const newest = heard.last
    if (!newest) return void last.replaceChildren(h('p', { class: 'muted' }, 'What the bot says here can be heard again from this place.'))
    if (newest.number === shownNumber) return
    shownNumber = newest.number
    URL.revokeObjectURL(shownUrl)
    shownUrl = URL.createObjectURL(wavBlob(newest.samples))
    last.replaceChildren(h('h4', {}, 'Last utterance'),
      player({ url: shownUrl, label: 'last utterance', durationSecs: newest.durationSecs, levels: peaksOf(newest.samples, REPLAY_BARS), testId: 'heard-replay' }))
    count.textContent = String(newest.number)
  }

  function showToggle() {
    const state = heard.live.state()
    // An element that is rebuilt between a press and its release gets no click.
    if (toggle.dataset.state === state) return
    toggle.setAttribute('aria-checked', String(state !== 'off'))
    toggle.dataset.state = state
    const words = { on: 'Sound on', waiting: 'Click for sound', off: 'Sound off' }[state]
    toggle.replaceChildren(icon(state === 'off' ? 'muted' : 'speaker'), h('span', {}, words))
  }

  new window.ResizeObserver(() => paint()).observe(canvas)
  return {
    element,
    update() {
      packets.textContent = String(heard.packets)
      const speaker = store.member(heard.speakerId)
      const words = !heard.reachable ? 'Not connected' : speaker ? `${speaker.name} is speaking` : 'Quiet'
      if (status.textContent !== words) status.textContent = words
      element.classList.toggle('speaking', speaker !== null)
      showLast()
      showToggle()
      if (!drawing) requestAnimationFrame(paint)
      drawing = true
    }
  }
}
