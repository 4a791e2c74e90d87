import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../core/database.ts'
import { createMutes } from './mutes.ts'
import { createStays } from './stays.ts'

describe('mutes', () => {
  it('are each muter’s own to lift, a manager’s word first', () => {
    const mutes = createMutes(new DatabaseSync(':memory:'))
    mutes.set('g', 'mina', 'self', true)
    mutes.set('g', 'mina', 'manager', true)
    expect([mutes.of('g', 'mina'), mutes.of('other', 'mina'), mutes.of('g', 'haru')]).toEqual(['manager', undefined, undefined])
    mutes.set('g', 'mina', 'manager', false)
    expect([mutes.of('g', 'mina'), mutes.byManagers('g', 10)]).toEqual(['self', []])
    mutes.set('g', 'mina', 'self', false)
    expect(mutes.of('g', 'mina')).toBeUndefined()
  })

  it('last, as does where the bot was', () => {
    const folder = mkdtempSync(join(tmpdir(), 'voxpool-mutes-'))
    const before = openDatabase(folder)
    createMutes(before).set('g', 'mina', 'manager', true)
    createStays(before).set('g', 'lounge')
    createStays(before).set('other', 'lounge')
    createStays(before).set('other', null)
    before.close()
    const after = openDatabase(folder)
    expect([createMutes(after).byManagers('g', 10), createStays(after).of('g'), createStays(after).of('other')]).toEqual([['mina'], 'lounge', undefined])
    after.close()
    rmSync(folder, { recursive: true })
  })
})
