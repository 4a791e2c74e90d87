import { DatabaseSync } from 'node:sqlite'
import * as fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { createPreferences } from './preferences.ts'
import type { Sound } from './preferences.ts'

let database: DatabaseSync
beforeEach(() => {
  database = new DatabaseSync(':memory:')
})

const mina = { userId: 'mina' }
const minaHere = { userId: 'mina', guildId: 'here' }
const here = { guildId: 'here' }

describe('how a member sounds', () => {
  it('is taken field by field from the narrowest scope that has it', () => {
    const preferences = createPreferences(database)
    preferences.set(here, { voice: 'house', speed: 1.2, volume: 0.8 })
    preferences.set(mina, { voice: 'sky', pitch: 2 })
    preferences.set(minaHere, { pitch: -1 })
    expect(preferences.soundOf('here', 'mina')).toEqual({ voice: 'sky', speed: 1.2, pitch: -1, volume: 0.8 })
    expect(preferences.soundOf('there', 'mina')).toEqual({ voice: 'sky', pitch: 2 })
    expect(preferences.soundOf('here', 'haru')).toEqual({ voice: 'house', speed: 1.2, volume: 0.8 })
    expect(preferences.soundOf('there', 'haru')).toEqual({})
  })

  it('outlives a restart, and is forgotten with its last field', () => {
    createPreferences(database).set(minaHere, { voice: 'sky', speed: 0.5 })
    const later = createPreferences(database)
    expect(later.get(minaHere)).toEqual({ voice: 'sky', speed: 0.5 })
    later.set(minaHere, {})
    expect(createPreferences(database).get(minaHere)).toEqual({})
    expect(database.prepare('SELECT count(*) AS rows FROM sounds').get()?.['rows']).toBe(0)
  })

  it('keeps what was set in one scope out of every other', () => {
    const scope = fc.oneof(
      fc.record({ userId: fc.constantFrom('1', '2') }),
      fc.record({ guildId: fc.constantFrom('1', '2') }),
      fc.record({ userId: fc.constantFrom('1', '2'), guildId: fc.constantFrom('1', '2') })
    )
    const sound: fc.Arbitrary<Sound> = fc.record(
      { voice: fc.constantFrom('a', 'b'), speed: fc.double({ min: 0.25, max: 4, noNaN: true }), pitch: fc.integer({ min: -12, max: 12 }), volume: fc.constantFrom(0, 1, 2) },
      { requiredKeys: [] }
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(scope, sound), { maxLength: 20 }), (sets) => {
        const preferences = createPreferences(new DatabaseSync(':memory:'))
        const model = new Map<string, Sound>()
        for (const [where, what] of sets) {
          preferences.set(where, what)
          model.set(JSON.stringify(where), what)
        }
        for (const [where, what] of model) expect(preferences.get(JSON.parse(where) as typeof mina)).toEqual(what)
      })
    )
  })
})

describe('a row of another version', () => {
  it('with values that no node takes costs those alone', () => {
    const preferences = createPreferences(database)
    database.prepare('INSERT INTO sounds (guild_id, user_id, voice, speed, pitch, volume) VALUES (?, ?, ?, ?, ?, ?)').run('', 'mina', 'a voice', 9, 3, -1)
    expect(preferences.get(mina)).toEqual({ pitch: 3 })
  })
})
