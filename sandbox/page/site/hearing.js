import { liveAudio } from './live-audio.js'
import { pcmSamples, utterances } from './utterances.js'

/** Levels that the strip remembers: 20 ms each, so about 4 s. */
const LEVELS = 200
const SPEAKING_MS = 250

/**
 * Listens to one voice channel at a time and keeps what it heard: packets so far, levels, who speaks, the last utterance.
 * `onChange` is called when one of them changed; the strip reads them from the returned object.
 */
export function hearing(onChange) {
  const heard = { packets: 0, bad: 0, levels: [], speakerId: null, last: null, live: liveAudio(onChange), listen, reachable: true }
  const collect = utterances((utterance) => {
    heard.last = utterance
    onChange()
  })
  let place = ''
  let source = null
  let quiet = 0

  function listen(guildId, channelId) {
    const wanted = `${guildId}/${channelId}`
    if (wanted === place) return
    place = wanted
    open()
  }

  function open() {
    source?.close()
    source = new EventSource(`/sandbox/listen/${place}`)
    source.addEventListener('packet', (event) => packet(JSON.parse(event.data)))
    source.addEventListener('beat', () => reach(true))
    source.addEventListener('error', () => {
      reach(false)
      // An answer that is no stream (a restart in between, too many listeners) ends the source for good.
      if (source.readyState === EventSource.CLOSED) setTimeout(open, 3_000)
    })
  }

  function reach(reachable) {
    if (heard.reachable === reachable) return
    heard.reachable = reachable
    onChange()
  }

  function packet({ userId, pcm }) {
    heard.packets++
    if (pcm === undefined) heard.bad++
    else {
      const samples = pcmSamples(pcm)
      heard.levels.push(loudness(samples))
      if (heard.levels.length > LEVELS) heard.levels.shift()
      heard.live.play(samples)
      collect(samples)
    }
    heard.speakerId = userId
    clearTimeout(quiet)
    quiet = setTimeout(() => {
      heard.speakerId = null
      onChange()
    }, SPEAKING_MS)
    onChange()
  }

  return heard
}

/** 0 to 1: the root mean square, lifted so that quiet speech shows too. */
function loudness(samples) {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  return Math.min(1, Math.sqrt(Math.sqrt(sum / Math.max(1, samples.length))) * 1.3)
}
