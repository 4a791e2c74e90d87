import { flacHeader } from './flac.ts'
import { wavHeader } from './wav.ts'

/** The formats that the entry answers in; of the OpenAI API's own `aac` alone is missing. */
export const FORMATS = ['opus', 'wav', 'mp3', 'flac', 'pcm'] as const
export type Format = (typeof FORMATS)[number]

/** Those that are made of samples, by the thread that decodes. */
export type PcmFormat = Exclude<Format, 'opus'>

/** Contract 2's names of them. */
export const MEDIA_TYPES: Readonly<Record<Format, string>> = { opus: 'audio/ogg', wav: 'audio/wav', mp3: 'audio/mpeg', flac: 'audio/flac', pcm: 'audio/pcm' }

/** What stands before the body. @param samples undefined: as many as come */
export function headerOf(format: PcmFormat, samples: number | undefined): Uint8Array {
  switch (format) {
    case 'wav':
      return wavHeader(samples)
    case 'flac':
      return flacHeader(samples)
    case 'mp3':
    case 'pcm':
      return new Uint8Array()
  }
}
