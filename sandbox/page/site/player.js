import { h, icon } from './element.js'
import { BARS } from './waveform.js'

let playing = null

/**
 * An audio player of the page's own look. `levels` (0 to 1, or a promise of them) draw its waveform, over which one seeks with
 * pointer or arrow keys. `durationSecs` shows the length before the file is read. Only one player plays at a time.
 */
export function player({ url, label, durationSecs = 0, levels = [], testId = 'player' }) {
  const audio = new Audio()
  audio.preload = 'metadata'
  audio.src = url
  const button = h('button', { type: 'button', class: 'play', 'data-testid': `${testId}-play` })
  const bars = h('span', { class: 'bars', 'aria-hidden': 'true' })
  const seek = h('input', { type: 'range', class: 'seek', min: 0, max: 1000, step: 1, value: 0, 'aria-label': `Position in ${label}` })
  const time = h('span', { class: 'clock', 'data-testid': `${testId}-time` })
  const element = h('div', { class: 'player', role: 'group', 'aria-label': label, 'data-testid': testId }, button, h('div', { class: 'track' }, bars, seek), time)

  const lengthSecs = () => (Number.isFinite(audio.duration) && audio.duration > 0 ? audio.duration : durationSecs)
  const draw = (list) => bars.replaceChildren(...(list.length > 0 ? list : Array(BARS).fill(0.12)).map((level) => h('i', { style: { '--level': Math.max(0.08, level).toFixed(3) } })))
  const show = () => {
    const length = lengthSecs()
    const part = length > 0 ? Math.min(1, audio.currentTime / length) : 0
    seek.value = String(Math.round(part * 1000))
    seek.setAttribute('aria-valuetext', `${clock(audio.currentTime)} of ${clock(length)}`)
    time.textContent = audio.currentTime > 0 ? `${clock(audio.currentTime)} / ${clock(length)}` : clock(length)
    const list = [...bars.children]
    list.forEach((bar, at) => bar.classList.toggle('past', at < part * list.length))
  }
  const showButton = () => {
    button.replaceChildren(icon(audio.paused ? 'play' : 'pause'))
    button.setAttribute('aria-label', `${audio.paused ? 'Play' : 'Pause'} ${label}`)
    element.classList.toggle('playing', !audio.paused)
    if (!audio.paused) tick()
  }
  // `timeupdate` comes four times a second, which looks like stumbling.
  const tick = () => {
    show()
    if (!audio.paused) requestAnimationFrame(tick)
  }
  const play = () => {
    if (playing !== audio) playing?.pause()
    playing = audio
    audio.play().catch(() => fail())
  }
  const fail = () => {
    element.classList.add('broken')
    time.textContent = 'can’t be played here'
  }

  button.addEventListener('click', () => (audio.paused ? play() : audio.pause()))
  seek.addEventListener('input', () => {
    audio.currentTime = (Number(seek.value) / 1000) * lengthSecs()
    show()
  })
  for (const name of ['play', 'pause', 'ended']) audio.addEventListener(name, showButton)
  for (const name of ['loadedmetadata', 'durationchange', 'seeked']) audio.addEventListener(name, show)
  audio.addEventListener('ended', () => (audio.currentTime = 0))
  audio.addEventListener('error', fail)
  draw([])
  show()
  showButton()
  Promise.resolve(levels).then((list) => {
    draw(list)
    show()
  })
  return Object.assign(element, { play })
}

function clock(seconds) {
  const whole = Math.max(0, Math.round(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
