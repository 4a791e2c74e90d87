import type { LanguageCode } from '../../i18n/index.ts'

/** Discord shows a time in each reader's own zone, which nobody tells a bot: the zone of the language, and where there are many, one that is named. */
const ZONES: Readonly<Record<LanguageCode, string>> = { en: 'UTC', ja: 'Asia/Tokyo', ko: 'Asia/Seoul' }

const CLOCK = { hour: 'numeric', minute: '2-digit' } as const
const DAY = { year: 'numeric', month: 'long', day: 'numeric' } as const

/** Discord's styles. */
const STYLES: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  t: CLOCK,
  T: { ...CLOCK, second: '2-digit' },
  d: DAY,
  D: DAY,
  f: { ...DAY, ...CLOCK },
  F: { ...DAY, ...CLOCK, weekday: 'long' },
  s: { ...DAY, ...CLOCK },
  S: { ...DAY, ...CLOCK, second: '2-digit' }
}

const UNITS = [['year', 31_536_000], ['month', 2_592_000], ['week', 604_800], ['day', 86_400], ['hour', 3600], ['minute', 60], ['second', 1]] as const

const formats = new Map<string, Intl.DateTimeFormat>()
const relative = new Map<LanguageCode, Intl.RelativeTimeFormat>()

/** A timestamp as it is spoken; undefined when there is no such time. */
export function spokenTime(seconds: number, style: string | undefined, language: LanguageCode, nowMs: number): string | undefined {
  const date = new Date(seconds * 1000)
  if (Number.isNaN(date.getTime())) return undefined
  if (style === 'R') return fromNow(seconds - Math.round(nowMs / 1000), language)
  return formatOf(style !== undefined && Object.hasOwn(STYLES, style) ? style : 'f', language).format(date)
}

/** Kept, since to make one takes longer than to read a message. */
function formatOf(style: string, language: LanguageCode): Intl.DateTimeFormat {
  const options = STYLES[style] ?? {}
  const key = `${style}${language}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const isZoneNamed = language === 'en' && options.hour !== undefined
  const format = new Intl.DateTimeFormat(language, { ...options, timeZone: ZONES[language], ...(isZoneNamed && { timeZoneName: 'short' as const }) })
  formats.set(key, format)
  return format
}

function fromNow(seconds: number, language: LanguageCode): string {
  const format = relative.get(language) ?? new Intl.RelativeTimeFormat(language)
  relative.set(language, format)
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1]
  return format.format(Math.round(seconds / size), unit)
}
