import { expect, it } from 'vitest'
import { languageName } from './language-name.ts'

it.each([
  ['ja', 'en-GB', 'Japanese'],
  ['ja', 'ko', '일본어'],
  ['en-US', 'ja', 'アメリカ英語'],
  ['ja', 'fr', 'Japanese'],
  ['qaa', 'en', 'qaa'],
  ['ab-1', 'en', 'ab-1']
])('%s in %s is %s, also when it is asked again', (tag, locale, name) => {
  expect([languageName(tag, locale), languageName(tag, locale)]).toEqual([name, name])
})
