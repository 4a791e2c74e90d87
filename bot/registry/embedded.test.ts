import { DatabaseSync } from 'node:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../core/database.ts'
import { createLog, silentLog } from '../core/log.ts'
import { manualClock } from '../core/manual-clock.ts'
import { embeddedRegistry } from './embedded.ts'

const folder = mkdtempSync(join(tmpdir(), 'voxpool-registry-'))
afterAll(() => rmSync(folder, { recursive: true }))
const clock = manualClock()
const NODE = JSON.stringify({ serverId: '007', label: '=1+1', apiUrl: 'https://a.example', instanceId: 'i' })

describe('the embedded registry', () => {
  it('keeps nodes and devices over a restart', async () => {
    const first = openDatabase(folder)
    const before = embeddedRegistry({ database: first, key: undefined, clock, log: silentLog })
    before.handle({ method: 'POST', query: { action: 'register' }, body: NODE })
    const list = await before.sync([{ deviceId: '1e5', serverId: '007' }])
    first.close()
    const second = openDatabase(folder)
    expect(await embeddedRegistry({ database: second, key: undefined, clock, log: silentLog }).list()).toEqual(list)
    expect(list.servers).toMatchObject([{ serverId: '007', activeCount: 1 }])
    second.close()
  })

  it('answers a fault of the database with a code, logs it, and goes on afterwards', async () => {
    const lines: string[] = []
    const database = new DatabaseSync(':memory:')
    const registry = embeddedRegistry({ database, key: undefined, clock, log: createLog('error', [], { write: (line) => void lines.push(line) }) })
    database.exec('ALTER TABLE registry_servers RENAME TO away')
    expect(registry.handle({ method: 'POST', query: { action: 'register' }, body: NODE })).toMatchObject({ ok: false, error: { code: 'internal' } })
    await expect(registry.list()).rejects.toMatchObject({ code: 'REGISTRY_REFUSED', context: { code: 'internal' } })
    expect(lines.join()).toContain('registry_servers')
    database.exec('ALTER TABLE away RENAME TO registry_servers')
    expect(registry.handle({ method: 'POST', query: { action: 'register' }, body: NODE })).toMatchObject({ ok: true })
  })

  it('is asked by a browser of any origin, and refuses what is too large', async () => {
    const app = embeddedRegistry({ database: new DatabaseSync(':memory:'), key: undefined, clock, log: silentLog }).routes()
    const list = await app.request('/registry?action=list')
    expect(await list.json()).toEqual({ ok: true, now: clock.now(), servers: [], warning: expect.any(String) as string })
    expect(list.headers.get('access-control-allow-origin')).toBe('*')
    const large = await app.request('/registry?action=register', { method: 'POST', body: 'x'.repeat(8_000_001) })
    expect(large.status).toBe(413)
    expect(await large.json()).toMatchObject({ ok: false, error: { code: 'bad_request' } })
    expect((await app.request('/registry', { method: 'DELETE' })).status).toBe(404)
  })

  it('leaves a call that was cancelled before it began', async () => {
    const registry = embeddedRegistry({ database: new DatabaseSync(':memory:'), key: undefined, clock, log: silentLog })
    await expect(registry.list(AbortSignal.abort())).rejects.toMatchObject({ code: 'CANCELLED' })
  })
})
