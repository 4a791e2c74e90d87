import { describe, expect, it } from 'vitest'

interface Choice { value: string; label: string; chosen: boolean }
const { choicesOf } = (await import(new URL('site/picker.js', import.meta.url).href)) as { choicesOf: (part: object, guild: object) => Choice[] }

const guild = {
  id: '1',
  members: [{ id: '11', name: 'Mina' }, { id: '12', name: 'Haru' }],
  roles: [{ id: '1', name: '@everyone' }, { id: '21', name: 'Admins' }],
  channels: [{ id: '31', name: 'general', type: 0 }, { id: '32', name: 'Lounge', type: 2 }]
}
const labels = (part: object) => choicesOf(part, guild).map(({ label, chosen }) => `${label}${chosen ? ' (chosen)' : ''}`)

describe('what a menu offers', () => {
  it.each([
    ['the bot’s own words', { type: 3, options: [{ label: 'One', value: '1' }, { label: 'Two', value: '2', default: true }] }, ['One', 'Two (chosen)']],
    ['members', { type: 5, default_values: [{ id: '12', type: 'user' }] }, ['@Mina', '@Haru (chosen)']],
    ['roles, without everybody’s', { type: 6 }, ['@Admins']],
    ['members and roles', { type: 7, default_values: [{ id: '21', type: 'role' }] }, ['@Mina', '@Haru', '@Admins (chosen)']],
    ['channels', { type: 8 }, ['#general', '#Lounge']],
    ['channels of the wanted kind', { type: 8, channel_types: [2] }, ['#Lounge']]
  ])('is %s', (_, part, expected) => {
    expect(labels(part)).toEqual(expected)
  })
})
