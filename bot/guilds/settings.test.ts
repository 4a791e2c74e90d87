import { DatabaseSync } from 'node:sqlite'
import * as fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { GuildSettings, createSettings } from './settings.ts'

const GUILD = '110000000000000001'
const defaults = GuildSettings.parse({})

let database: DatabaseSync
beforeEach(() => {
  database = new DatabaseSync(':memory:')
})
/** As another start of the bot reads it. */
const kept = () => createSettings(database).get(GUILD)

/** What another version, or anything else, left in the row. */
function leave(row: string): void {
  createSettings(database)
  database.prepare('INSERT OR REPLACE INTO guild_settings (guild_id, settings) VALUES (?, ?)').run(GUILD, row)
}

describe('a server’s settings', () => {
  it('are the defaults until something is chosen, and outlive a restart', () => {
    const settings = createSettings(database)
    expect(settings.get(GUILD)).toEqual(defaults)
    settings.change(GUILD, { saysName: true, language: 'ko' })
    settings.change(GUILD, { maxLength: 80 })
    expect(settings.get(GUILD)).toEqual({ ...defaults, saysName: true, language: 'ko', maxLength: 80 })
    expect(kept()).toEqual(settings.get(GUILD))
  })

  it('are each server’s own', () => {
    const settings = createSettings(database)
    settings.change(GUILD, { saysName: true })
    expect(settings.get('110000000000000002')).toEqual(defaults)
  })

  it('refuse a value out of bounds, and stay as they were', () => {
    const settings = createSettings(database)
    settings.change(GUILD, { maxLength: 80 })
    for (const change of [{ maxLength: 9 }, { maxLength: 10.5 }, { skipPrefix: '123456789' }, { managerRoleId: 'everyone' }, { idleMinutes: -1 }]) {
      expect(() => settings.change(GUILD, change)).toThrow()
    }
    expect([settings.get(GUILD).maxLength, kept().maxLength]).toEqual([80, 80])
  })

  it('are not changed in memory when the disk did not take them', () => {
    const settings = createSettings(database)
    settings.change(GUILD, { maxLength: 80 })
    database.exec('PRAGMA query_only = ON')
    expect(() => settings.change(GUILD, { maxLength: 90 })).toThrow()
    expect(settings.get(GUILD).maxLength).toBe(80)
  })
})

describe('a row of another version', () => {
  it.each([
    ['an older one lacks a field', { saysName: true }, { saysName: true }],
    ['a newer one has more fields', { saysName: true, whispers: 'loudly' }, { saysName: true }],
    ['a newer one has a value more', { links: 'title', emoji: 'skip' }, { emoji: 'skip' }],
    ['a newer one has wider bounds', { maxLength: 9000, idleMinutes: 5 }, { idleMinutes: 5 }],
    ['names of JavaScript are fields', { constructor: 1, toString: {}, hasOwnProperty: null, code: 'read' }, { code: 'read' }]
  ])('costs that field alone: %s', (_, row, expected) => {
    leave(JSON.stringify(row))
    expect(kept()).toEqual({ ...defaults, ...expected })
  })

  it('that is any JSON, or none, reads as whole settings', () => {
    const named = fc.dictionary(fc.constantFrom(...Object.keys(GuildSettings.shape), '__proto__', 'constructor', 'x'), fc.jsonValue())
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string(), named.map((row) => JSON.stringify(row))), (row) => {
        leave(row)
        const read = kept()
        expect(GuildSettings.parse(read)).toEqual(read)
        expect(Object.keys(read).sort()).toEqual(Object.keys(defaults).sort())
      })
    )
  })
})
