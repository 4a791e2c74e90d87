import { FROM_MAX, PRIORITY, TO_MAX } from '../../bot/dictionary/entry.ts'
import type { Entry } from '../../bot/dictionary/entry.ts'
import type { AddFault } from '../../bot/dictionary/fill.ts'
import { PATTERNS_MAX } from '../../bot/dictionary/patterns.ts'
import { ENTRIES_MAX } from '../../bot/dictionary/scope.ts'
import { cut, plain } from '../../bot/discord/respond.ts'
import type { Translate } from '../../bot/i18n/index.ts'
import type { ScopeName } from './scope.ts'

const WRITTEN_MAX_CHARS = 60
const SPOKEN_MAX_CHARS = 80

/** An entry on one line, with what is unusual about it. */
export function rowOf({ from, to, kind, priority, wholeWord }: Entry, t: Translate): string {
  const tags = [
    ...(kind === 'regex' ? [t('dictionary.tag.regex')] : []),
    ...(kind === 'literal' && !wholeWord ? [t('dictionary.tag.anywhere')] : []),
    ...(priority === PRIORITY.usual ? [] : [t('dictionary.tag.priority', { value: String(priority) })])
  ]
  return [`**${plain(cut(from, WRITTEN_MAX_CHARS))}** → ${spokenOf(to, t)}`, ...tags].join(' · ')
}

export const spokenOf = (to: string, t: Translate): string => (to === '' ? t('dictionary.silent') : plain(cut(to, SPOKEN_MAX_CHARS)))

/** Why an entry was not taken. */
export function faultOf(reason: AddFault, detail: string | undefined, of: ScopeName, t: Translate): string {
  switch (reason) {
    case 'fromTooLong':
      return t('dictionary.fault.fromTooLong', { max: FROM_MAX })
    case 'toTooLong':
      return t('dictionary.fault.toTooLong', { max: TO_MAX })
    case 'full':
      return t('dictionary.fault.full', { max: ENTRIES_MAX[of] })
    case 'regexTooMany':
      return t('dictionary.fault.regexTooMany', { max: PATTERNS_MAX })
    case 'regexBad':
      return t('dictionary.fault.regexBad', { why: plain(detail ?? '') })
    default:
      return t(`dictionary.fault.${reason}`)
  }
}
