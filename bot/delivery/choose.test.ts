import { describe, expect, it } from 'vitest'
import { chooseDelivery } from './choose.ts'

const nobody = { busyChannelId: null }

describe('where it is heard', () => {
  it.each([
    ['auto', { ...nobody, memberChannelId: 'a' }, { to: 'voice', channelId: 'a' }],
    ['auto', { ...nobody, memberChannelId: null }, { to: 'recording', wanted: 'auto' }],
    ['auto', { ...nobody, memberChannelId: 'a', missing: 'speak' }, { to: 'recording', wanted: 'auto' }],
    ['auto', { memberChannelId: 'a', busyChannelId: 'a' }, { to: 'voice', channelId: 'a' }],
    ['auto', { memberChannelId: 'a', busyChannelId: 'b' }, { to: 'recording', wanted: 'auto' }],
    ['voice', { ...nobody, memberChannelId: 'a' }, { to: 'voice', channelId: 'a' }],
    ['voice', { ...nobody, memberChannelId: null }, { to: 'nowhere', reason: 'notInVoice' }],
    ['voice', { ...nobody, memberChannelId: 'a', missing: 'connect' }, { to: 'nowhere', reason: 'connect' }],
    ['voice', { memberChannelId: 'a', busyChannelId: 'b' }, { to: 'nowhere', reason: 'elsewhere' }],
    ['file', { ...nobody, memberChannelId: 'a' }, { to: 'recording', wanted: 'file' }],
    ['voice-message', { ...nobody, memberChannelId: 'a' }, { to: 'recording', wanted: 'voice-message' }]
  ] as const)('%s, %j: %j', (wanted, place, delivery) => {
    expect(chooseDelivery(wanted, place)).toEqual(delivery)
  })
})
