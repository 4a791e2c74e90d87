import { RATE } from './utterances.js'

/** Waits this long before the first packet of an utterance is played, so that the next ones are there in time. */
const LEAD_SECS = 0.12
/** More than this waiting means that the page slept: what is late is not worth hearing. */
const BEHIND_MAX_SECS = 2
const PREFERENCE = 'voxpool.hear'

/**
 * Plays packets one behind the other as they arrive. Browsers give sound only after a click or a key, so it starts with the
 * first of those. `state()` is `off`, `waiting` (for that click) or `on`; `onChange` hears of it.
 */
export function liveAudio(onChange) {
  let wanted = localStorage.getItem(PREFERENCE) !== 'off'
  let context = null
  let nextSecs = 0

  const state = () => (!wanted ? 'off' : context?.state === 'running' ? 'on' : 'waiting')

  const start = () => {
    if (!wanted) return
    if (!context) {
      context = new AudioContext({ sampleRate: RATE, latencyHint: 'interactive' })
      context.addEventListener('statechange', onChange)
    }
    context.resume().then(onChange, () => {})
  }
  // Not on the switch itself: what its press turned on, its click would turn off again.
  const startUnlessSwitch = (event) => {
    if (!event.target.closest?.('[role=switch]')) start()
  }
  for (const gesture of ['pointerdown', 'keydown']) window.addEventListener(gesture, startUnlessSwitch, { capture: true })

  return {
    state,
    toggle() {
      wanted = state() !== 'on'
      localStorage.setItem(PREFERENCE, wanted ? 'on' : 'off')
      if (wanted) start()
      else void context?.suspend()
      onChange()
    },
    play(samples) {
      if (state() !== 'on') return
      const now = context.currentTime
      if (nextSecs < now) nextSecs = now + LEAD_SECS
      if (nextSecs > now + BEHIND_MAX_SECS) return
      const buffer = context.createBuffer(1, samples.length, RATE)
      buffer.copyToChannel(samples, 0)
      const source = context.createBufferSource()
      source.buffer = buffer
      source.connect(context.destination)
      source.start(nextSecs)
      nextSecs += buffer.duration
    }
  }
}
