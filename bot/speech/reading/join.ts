import { framedLetters } from './emoji.ts'
import { withoutJoiners } from './letters.ts'
import type { Part } from './spoken.ts'

/** Private characters, which no text has any more, around names and things. */
const EDGE = '\ue000'
const APART = '\ue001'

/** Letters of scripts whose words are set apart by spaces; in Korean, what follows a name belongs to it. */
const SPACED = '(?:(?![\\u0e00-\\u0eff\\u3040-\\u30ff\\u3400-\\u9fff\\uac00-\\ud7a3])[\\p{L}\\p{N}])'
const BETWEEN_WORDS = new RegExp(`(?<=${SPACED})${EDGE}+(?=${SPACED})`, 'gu')

/** Parts -> one text. The same thing several times on end (three links, a row of one emoji) is said once. */
export function joined(parts: readonly Part[]): string {
  let text = ''
  let last: string | undefined
  for (const part of parts) {
    if (part.kind === 'thing') {
      if (part.text !== last) text += `${APART}${part.text}${APART}`
      last = part.text
    } else {
      if (part.text.trim() !== '') last = undefined
      text += part.kind === 'name' ? `${EDGE}${part.text}${EDGE}` : part.text
    }
  }
  return text
    .replace(/\ue001[\ue001\s]*(?=[,.!?;:、。，．！？…)\]」』）])/gu, '')
    .replace(/(?<=[([「『（])\ue001+/gu, '')
    .replace(/\ue001+/g, ' ')
    .replace(BETWEEN_WORDS, ' ')
    .replace(/\ue000+/g, '')
}

/** The last steps over all that is spoken: nothing that a markup of speech would act on, no joiner, single spaces, no empty line. */
export function tidied(text: string): string {
  return untagged(withoutJoiners(framedLetters(text)))
    .replace(/&(?=#?\w{1,31};)/g, '& ')
    .replace(/[^\S\n]+/gu, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim()
}

/** Tags without their brackets, and what begins like one while another is closed behind it: a tag around a tag leaves half of itself. */
function untagged(text: string): string {
  const single = text.replace(/<([/!?]?[A-Za-z][^<>\n]*)>/g, ' $1 ')
  const lastEnd = single.lastIndexOf('>')
  return single.replace(/<(?=[/!?]?[A-Za-z])/g, (sign, at: number) => (at < lastEnd ? ' ' : sign))
}
