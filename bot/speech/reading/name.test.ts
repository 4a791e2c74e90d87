import { expect, it } from 'vitest'
import { readName } from './read.ts'

const replace = (text: string) => text.replaceAll('Xx_Joe_xX', 'Joe')

it.each([
  ['Mina', 'Mina'],
  ['ミナ・ハル', 'ミナ・ハル'],
  ['🌸Mina🌸', 'Mina'],
  ['꧁༺ 𝓜𝓲𝓷𝓪 ༻꧂', 'Mina'],
  ['**Mina** ||x||', 'Mina x'],
  ['<@123456789012345678>', '123456789012345678'],
  ['💬┃general-chat', 'general chat'],
  ['M̷i̷n̷a̷', 'Mina'],
  ['O’Neill Jr.', 'O’Neill Jr'],
  ['Minaaaaaaaaa', 'Minaaa'],
  ['Xx_Joe_xX', 'Joe'],
  ['🌸', ''],
  ['...', ''],
  ['ーーー', '']
])('the name %j is spoken as %j', (name, spoken) => {
  expect(readName(name, { replace })).toBe(spoken)
})
