import { en } from './words/en.js'
import { ja } from './words/ja.js'
import { ko } from './words/ko.js'

export const LANGUAGES = { en: { words: en, name: 'English' }, ja: { words: ja, name: '日本語' }, ko: { words: ko, name: '한국어' } }

const CHOSEN = 'voxpool.language'

/** What was chosen here, or else the first of the person's languages that there is. */
export function preferredLanguage() {
  const wishes = [recall(CHOSEN), ...navigator.languages].map((tag) => String(tag).split('-')[0].toLowerCase())
  return wishes.find((wish) => Object.hasOwn(LANGUAGES, wish)) ?? 'en'
}

export const rememberLanguage = (language) => remember(CHOSEN, language)

/** A browser that keeps nothing for a page throws; then the choice lasts as long as the page. */
export function recall(name) {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

/** @param value null: forget it */
export function remember(name, value) {
  try {
    if (value === null) localStorage.removeItem(name)
    else localStorage.setItem(name, value)
  } catch {
    // Nothing is kept then.
  }
}

/**
 * The words of a language: `say(key, args)`, and `has(key)` for keys that come from outside, with the formats of numbers and times that go with them.
 */
export function speaking(language) {
  const { words } = LANGUAGES[language]
  const number = new Intl.NumberFormat(language)
  const compact = new Intl.NumberFormat(language, { notation: 'compact' })
  const time = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const dayTime = new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'always', style: language === 'en' ? 'narrow' : 'short' })
  const has = (key) => Object.hasOwn(words, key)
  const say = (key, args) => (typeof words[key] === 'function' ? words[key](args) : words[key])
  return {
    language,
    has,
    say,
    number: (value) => number.format(value),
    /** `50K` */
    compact: (value) => compact.format(value),
    clock: (atMs) => time.format(atMs),
    /** `14:02`, or with its day when that is another. */
    time: (atMs, nowMs) => (new Date(atMs).toDateString() === new Date(nowMs).toDateString() ? time : dayTime).format(atMs),
    ago: (ageMs) => relative.format(...agoOf(ageMs)),
    /** As `/nodes` has them: `0.04 s`, `1.4 s`, `12 s`. */
    seconds: (ms) => {
      if (ms < 100) return say('node.milliseconds', { value: ms.toLocaleString(language, { maximumFractionDigits: ms < 10 ? 1 : 0 }) })
      const digits = ms < 1_000 ? 2 : ms < 10_000 ? 1 : 0
      return say('node.seconds', { value: (ms / 1_000).toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }) })
    },
    fault: (code) => (has(`fault.${code}`) && code !== 'other' ? say(`fault.${code}`) : say('fault.other', { code: isolate(code) }))
  }
}

/** Its own direction of writing, whatever letters somebody put into a name. */
export const isolate = (text) => `\u2068${text}\u2069`

function agoOf(ageMs) {
  const seconds = Math.max(0, Math.floor(ageMs / 1_000))
  if (seconds < 60) return [-seconds, 'second']
  if (seconds < 3_600) return [-Math.floor(seconds / 60), 'minute']
  if (seconds < 86_400) return [-Math.floor(seconds / 3_600), 'hour']
  return [-Math.floor(seconds / 86_400), 'day']
}
