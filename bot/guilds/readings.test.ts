import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it } from 'vitest'
import { READINGS_MAX, createReadings } from './readings.ts'

let database: DatabaseSync
beforeEach(() => {
  database = new DatabaseSync(':memory:')
})

const reading = (textChannelId: string, voiceChannelId = 'lounge', guildId = 'g1') => ({ textChannelId, voiceChannelId, guildId })

describe('the channels that are read', () => {
  it('outlive a restart, each with where it is heard', () => {
    const readings = createReadings(database)
    readings.add(reading('general'))
    readings.add(reading('chat', 'stage', 'g2'))
    const later = createReadings(database)
    expect(later.all()).toEqual([reading('general'), reading('chat', 'stage', 'g2')])
    expect([later.at('chat')?.voiceChannelId, later.at('other'), later.of('g1').length]).toEqual(['stage', undefined, 1])
  })

  it('move when they are read to another voice channel', () => {
    const readings = createReadings(database)
    readings.add(reading('general'))
    readings.add(reading('general', 'stage'))
    expect(createReadings(database).all()).toEqual([reading('general', 'stage')])
  })

  it('are so many a server at most, and one that is read already still moves', () => {
    const readings = createReadings(database)
    for (let at = 0; at < READINGS_MAX; at++) expect(readings.add(reading(`c${at}`))).toBe(true)
    expect([readings.add(reading('one-more')), readings.add(reading('c0', 'stage')), readings.add(reading('theirs', 'lounge', 'g2'))]).toEqual([false, true, true])
    expect(createReadings(database).of('g1')).toHaveLength(READINGS_MAX)
  })

  it('end one by one, or with their server', () => {
    const readings = createReadings(database)
    for (const channel of ['a', 'b', 'c']) readings.add(reading(channel))
    readings.add(reading('d', 'lounge', 'g2'))
    expect([readings.remove('a'), readings.remove('a')]).toEqual([true, false])
    readings.removeGuild('g1')
    expect([readings.all(), createReadings(database).all()]).toEqual([[reading('d', 'lounge', 'g2')], [reading('d', 'lounge', 'g2')]])
  })
})
