import { h, icon } from './element.js'
import { player } from './player.js'
import { decodeWaveform, fetchPeaks } from './waveform.js'

/** A file of a message: audio as a player, pictures as they are, the rest as a download. */
export function attachment(file) {
  const kind = file.contentType.split('/')[0]
  if (kind === 'audio') return audio(file)
  if (kind === 'image' && file.contentType !== 'image/svg+xml') {
    return h('a', { href: file.url, target: '_blank', rel: 'noopener' }, h('img', { src: file.url, alt: file.filename, loading: 'lazy' }))
  }
  return h('a', { class: 'file', href: file.url, download: file.filename }, icon('file'), h('span', {}, file.filename), h('small', {}, size(file.sizeBytes)))
}

function audio(file) {
  const voiceMessage = file.waveform !== undefined
  return h('div', { class: 'audio', 'data-testid': 'attachment-audio' },
    player({
      url: file.url,
      label: voiceMessage ? 'voice message' : file.filename,
      durationSecs: file.durationSecs ?? 0,
      levels: voiceMessage ? decodeWaveform(file.waveform) : fetchPeaks(file.url, file.sizeBytes),
      testId: 'attachment-player'
    }),
    h('a', { class: 'caption', href: file.url, download: file.filename }, `${file.filename} · ${size(file.sizeBytes)}`))
}

const size = (bytes) => (bytes < 1024 ? `${bytes} B` : bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`)
