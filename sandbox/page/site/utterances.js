export const RATE = 48_000

/** As long as this without a packet, and what was said is over. */
export const PAUSE_MS = 400

/** Of a longer one the first 60 s are kept. */
const UTTERANCE_MAX_SAMPLES = 60 * RATE

/**
 * Gathers packets of PCM into utterances. `onEnd` gets each as `{number, samples, durationSecs}` (samples from -1 to 1) when
 * nothing came for 400 ms.
 */
export function utterances(onEnd) {
  let parts = []
  let length = 0
  let number = 0
  let timer = 0

  const end = () => {
    const samples = new Float32Array(length)
    let at = 0
    for (const part of parts) {
      samples.set(part, at)
      at += part.length
    }
    parts = []
    length = 0
    onEnd({ number: ++number, samples, durationSecs: samples.length / RATE })
  }

  return (samples) => {
    clearTimeout(timer)
    timer = setTimeout(end, PAUSE_MS)
    if (length + samples.length > UTTERANCE_MAX_SAMPLES) return
    parts.push(samples)
    length += samples.length
  }
}

/** Base64 of 16-bit little-endian PCM as samples from -1 to 1. */
export function pcmSamples(base64) {
  const binary = atob(base64)
  const samples = new Float32Array(binary.length / 2)
  for (let at = 0; at < samples.length; at++) {
    const value = binary.charCodeAt(2 * at) | (binary.charCodeAt(2 * at + 1) << 8)
    samples[at] = (value > 0x7fff ? value - 0x10000 : value) / 0x8000
  }
  return samples
}

/** Mono 16-bit WAV, which every browser plays. */
export function wavBlob(samples) {
  const view = new DataView(new ArrayBuffer(44 + samples.length * 2))
  const text = (at, word) => [...word].forEach((letter, index) => view.setUint8(at + index, letter.charCodeAt(0)))
  text(0, 'RIFF')
  view.setUint32(4, 36 + samples.length * 2, true)
  text(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, RATE, true)
  view.setUint32(28, RATE * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  text(36, 'data')
  view.setUint32(40, samples.length * 2, true)
  samples.forEach((sample, at) => view.setInt16(44 + at * 2, Math.round(Math.max(-1, Math.min(1, sample)) * 0x7fff), true))
  return new Blob([view], { type: 'audio/wav' })
}
