import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../core/database.ts'
import type { Database } from '../../core/database.ts'
import { manualClock } from '../../core/manual-clock.ts'
import { createAdmission } from './admission.ts'
import { createAdmit, isKnown } from './admit.ts'
import { createApiKeys } from './api-keys.ts'

let folder: string
let database: Database
const clock = manualClock()

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'voxpool-keys-'))
  database = openDatabase(folder)
})

afterEach(() => {
  database.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('an API key', () => {
  it('opens by its secret, after a restart too, until it is revoked', () => {
    const keys = createApiKeys(database, clock)
    const made = keys.make('a programme', { perMinute: 7 })
    if (made === undefined) throw new Error('no key was made')
    expect(keys.keyOf(made.secret)).toMatchObject({ id: made.key.id, name: 'a programme', perMinute: 7, concurrency: 4 })
    const again = createApiKeys(database, clock)
    expect(again.keyOf(made.secret)?.id).toBe(made.key.id)
    expect([again.revoke(made.key.id), again.revoke(made.key.id), again.keyOf(made.secret)]).toEqual([true, false, undefined])
    expect(createApiKeys(database, clock).keyOf(made.secret)).toBeUndefined()
  })

  it('is not opened by its id, by a part of its secret or by nothing', () => {
    const keys = createApiKeys(database, clock)
    const made = keys.make('x')
    const secret = made?.secret ?? ''
    expect(['', made?.key.id ?? '', secret.slice(0, -1), `${secret}x`, secret.toUpperCase()].map((each) => keys.keyOf(each))).toEqual(Array(5).fill(undefined))
  })

  it('opens while nothing can be written', () => {
    const keys = createApiKeys(database, clock)
    const secret = keys.make('x')?.secret ?? ''
    database.exec('PRAGMA query_only = ON')
    expect([keys.keyOf(secret)?.name, keys.list()[0]?.usedAtMs]).toEqual(['x', clock.now()])
  })

  it('is known at no cost to its rate, beside this machine itself', () => {
    const keys = createApiKeys(database, clock)
    const { secret } = keys.make('x', { perMinute: 1 }) ?? { secret: '' }
    const from = (headers: Record<string, string>, remoteAddress = '203.0.113.7') => ({ headers: { host: 'localhost', ...headers }, httpVersion: '1.1', socket: { remoteAddress } })
    const withKey = from({ authorization: `Bearer ${secret}` })
    expect([1, 2, 3].map(() => isKnown(keys, withKey))).toEqual([true, true, true])
    const admit = createAdmit(keys, createAdmission(clock))
    expect([admit(withKey).ok, admit(withKey).ok, isKnown(keys, withKey)]).toEqual([true, false, true])
    expect([from({}), from({}, '127.0.0.1'), from({ authorization: 'Bearer vox-other' }, '127.0.0.1')].map((each) => isKnown(keys, each))).toEqual([false, true, false])
  })

  it('leaves no trace of its secret on the disk', () => {
    const secret = createApiKeys(database, clock).make('x')?.secret ?? ''
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    const written = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'))
    expect(written.join('').includes(secret.slice(4, 20))).toBe(false)
  })
})

describe('admission', () => {
  const key = (limits: { perMinute: number; concurrency: number }) => ({ id: 'a', name: '', createdAtMs: 0, usedAtMs: null, ...limits })

  it('keeps a key to its rate, and lets it in again as time goes by', async () => {
    const admission = createAdmission(clock)
    const one = key({ perMinute: 2, concurrency: 10 })
    expect([admission.enter(one).ok, admission.enter(one).ok, admission.enter(one)]).toEqual([true, true, { ok: false, reason: 'rate', retryAfterMs: 30_000 }])
    expect(admission.enter({ ...one, id: 'b' }).ok).toBe(true)
    await clock.advance(30_000)
    expect([admission.enter(one).ok, admission.enter(one).ok]).toEqual([true, false])
  })

  it('keeps a key to its requests at once; leaving twice gives back one place', () => {
    const admission = createAdmission(clock)
    const one = key({ perMinute: 600, concurrency: 1 })
    const first = admission.enter(one)
    expect(admission.enter(one)).toMatchObject({ ok: false, reason: 'concurrency' })
    if (first.ok) first.leave()
    if (first.ok) first.leave()
    expect([admission.enter(one).ok, admission.enter(one).ok]).toEqual([true, false])
  })
})
