/** Bars that a waveform shows at most: Discord sends up to 256 points, which is more than fits. */
export const BARS = 48

/** Discord's waveform (base64 of bytes 0 to 255) as levels 0 to 1; empty when it is not one. */
export function decodeWaveform(base64) {
  try {
    return resample([...atob(base64)].map((character) => character.charCodeAt(0) / 255))
  } catch {
    return []
  }
}

/** The peaks of samples from -1 to 1, as levels relative to the loudest. */
export function peaksOf(samples, bars = BARS) {
  const size = Math.max(1, Math.ceil(samples.length / bars))
  const peaks = []
  for (let start = 0; start < samples.length; start += size) {
    let peak = 0
    const end = Math.min(start + size, samples.length)
    for (let at = start; at < end; at++) peak = Math.max(peak, Math.abs(samples[at]))
    peaks.push(peak)
  }
  const loudest = Math.max(...peaks, 1e-4)
  return peaks.map((peak) => peak / loudest)
}

function resample(levels) {
  if (levels.length <= BARS) return levels
  return Array.from({ length: BARS }, (_, bar) => {
    const from = Math.floor((bar * levels.length) / BARS)
    return Math.max(...levels.slice(from, Math.max(from + 1, Math.floor(((bar + 1) * levels.length) / BARS))))
  })
}

/** The peaks of an audio file, decoded by the browser; empty when it can't. At most 8 MiB are fetched for a picture. */
export async function fetchPeaks(url, sizeBytes) {
  if (sizeBytes > 8 * 1024 * 1024) return []
  try {
    const bytes = await (await fetch(url)).arrayBuffer()
    const sound = await new window.OfflineAudioContext(1, 1, 48_000).decodeAudioData(bytes)
    return peaksOf(sound.getChannelData(0))
  } catch {
    return []
  }
}
