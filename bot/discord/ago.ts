import type { Translate } from '../i18n/index.ts'

/** "12 s ago", "3 min ago", in the member's language. */
export function ago(ageMs: number, t: Translate): string {
  const seconds = Math.max(0, Math.round(ageMs / 1000))
  return seconds < 120 ? t('ago.seconds', { count: seconds }) : t('ago.minutes', { count: Math.round(seconds / 60) })
}
