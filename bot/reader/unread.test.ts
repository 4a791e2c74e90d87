import { describe, expect, it } from 'vitest'
import { GuildSettings } from '../guilds/settings.ts'
import { whyUnread } from './unread.ts'
import type { Writer } from './unread.ts'

const READERS = '123456789012345678'
const writer = (given: Partial<Writer>): Writer => ({ kind: 'person', hasRole: () => false, isInVoice: () => false, muter: () => undefined, ...given })
const settings = (given: Partial<GuildSettings> = {}) => GuildSettings.parse(given)

describe('who is read', () => {
  it.each<[what: string, given: Partial<Writer>, chosen: Partial<GuildSettings>, result: string | undefined]>([
    ['a member', {}, {}, undefined],
    ['the bot itself', { kind: 'self' }, { readsBots: true }, 'own'],
    ['what Discord writes', { kind: 'system' }, {}, 'system'],
    ['another bot', { kind: 'bot' }, {}, 'bot'],
    ['another bot where bots are read', { kind: 'bot' }, { readsBots: true }, undefined],
    ['a webhook', { kind: 'webhook' }, { readsBots: true }, 'webhook'],
    ['a webhook where they are read', { kind: 'webhook' }, { readsWebhooks: true }, undefined],
    ['who muted themselves', { muter: () => 'self' }, {}, 'mutedBySelf'],
    ['whom a manager muted', { muter: () => 'manager' }, {}, 'mutedByManager'],
    ['a bot that a manager muted', { kind: 'bot', muter: () => 'manager' }, { readsBots: true }, 'mutedByManager'],
    ['who lacks the role', {}, { readerRoleId: READERS }, 'role'],
    ['who has the role', { hasRole: (id) => id === READERS }, { readerRoleId: READERS }, undefined],
    ['a bot without the role', { kind: 'bot' }, { readerRoleId: READERS, readsBots: true }, undefined],
    ['who is not in voice', {}, { onlyInVoice: true }, 'notInVoice'],
    ['who is in voice', { isInVoice: () => true }, { onlyInVoice: true }, undefined],
    ['a webhook, which is never in voice', { kind: 'webhook' }, { onlyInVoice: true, readsWebhooks: true }, undefined]
  ])('%s', (_, given, chosen, result) => {
    expect(whyUnread(writer(given), settings(chosen))).toBe(result)
  })
})
