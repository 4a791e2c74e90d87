import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DEAD_MS } from '../../gas/registry.ts'
import { manualClock } from '../core/manual-clock.ts'
import { ErrorAnswer, ListAnswer, OkAnswer, PRESENCE_TTL_MS, parseServers } from '../wire/registry.ts'
import vectors from '../wire/vectors/registry.json' with { type: 'json' }
import { backEnds } from './back-ends.ts'
import type { BackEnd } from './back-ends.ts'

const KEY = 'correct horse battery'

describe.each(Object.entries(backEnds))('contract 1, spoken by %s', (_name, start) => {
  const clock = manualClock()
  let back: BackEnd
  let next = 0
  /** An id that no other test uses. */
  let id: string
  beforeAll(async () => void (back = await start(clock, '')))
  afterAll(() => back.close())
  beforeEach(() => void (id = `node-${String(next++)}`))

  const post = (action: string, body: unknown) => back.call({ method: 'POST', query: { action }, body: JSON.stringify(body) })
  const register = (fields: object = {}) => post('register', { serverId: id, label: 'Pink', apiUrl: 'https://a.example', capacity: 8, ...fields })
  const rows = async () => {
    const answer = ListAnswer.parse(await back.call({ method: 'GET', query: { action: 'list' } }))
    const { servers, badRows } = parseServers(answer.servers)
    expect(badRows).toBe(0)
    return servers
  }
  const row = async (serverId = id) => (await rows()).find((server) => server.serverId === serverId)
  const codeOf = (answer: unknown) => ErrorAnswer.parse(answer).error.code

  describe('the vectors', () => {
    const actions: Record<string, string> = {
      RegisterRequest: 'register',
      HeartbeatRequest: 'heartbeat',
      UnregisterRequest: 'unregister',
      SetEnabledRequest: 'setEnabled',
      RenameRequest: 'rename',
      PresenceRequest: 'presence'
    }
    it.each(vectors.filter(({ schema }) => schema in actions))('$schema: $name', async ({ schema, good, value }) => {
      await post('register', { serverId: 'colab-1', apiUrl: 'https://a.example' })
      const answer = await post(actions[schema] ?? '', value)
      const isLoopback = JSON.stringify(value).includes('"http://127.')
      if (!good || (isLoopback && !back.allowsLoopback)) {
        expect(codeOf(answer)).toBe('bad_request')
        return
      }
      expect(OkAnswer.parse(answer).now).toBe(clock.now())
      if (schema !== 'RegisterRequest') return
      const told = value as { serverId: string; label?: string; apiUrl: string }
      expect(await row(told.serverId)).toMatchObject({ label: told.label ?? '', apiUrl: told.apiUrl, enabled: true })
    })
  })

  it.each(['007', '1e5', '123456789012345678', '-1', '+7', '=A1', '@here', '1/2', 'TRUE', '12:30', "'quoted", '1,000', '__proto__', 'constructor'])(
    'keeps the id %s as it is, for a node and for a device',
    async (text) => {
      await clock.advance(PRESENCE_TTL_MS)
      await register({ serverId: text, label: `=${text}`, instanceId: text })
      expect(await post('presence', { devices: [{ deviceId: text, serverId: text }] })).toMatchObject({ ok: true, ignored: 0 })
      expect(OkAnswer.parse(await post('heartbeat', { serverId: text, instanceId: text })).ok).toBe(true)
      expect(await row(text)).toMatchObject({ serverId: text, label: `=${text}`, activeCount: 1 })
      await post('unregister', { serverId: text, instanceId: text })
      expect(await row(text)).toBeUndefined()
    }
  )

  it.each(['=1+1', "'=1", "'", '+1', '-1', '@a', ' =1', ' padded ', '007', '1e5', 'TRUE', '2026-11-29', '50%', '$5', '＝1', '桜', '😀'])('keeps the label %j', async (label) => {
    await register({ label })
    expect(await row()).toMatchObject({ label })
  })

  it('updates the row of a node that registers again, and never makes a second one', async () => {
    await register()
    await register({ apiUrl: 'https://b.example', capacity: 9, label: 'Blue' })
    expect((await rows()).filter(({ serverId }) => serverId === id)).toMatchObject([{ apiUrl: 'https://b.example', capacity: 9, label: 'Blue' }])
  })

  it('never turns a disabled node on when it registers again, not even after a goodbye', async () => {
    await register({ instanceId: 'a' })
    await back.registry.setEnabled(id, false)
    await register({ instanceId: 'b' })
    expect(await row()).toMatchObject({ enabled: false, apiUrl: 'https://a.example' })
    await post('unregister', { serverId: id, instanceId: 'b' })
    expect(await row()).toMatchObject({ enabled: false, apiUrl: null, lastSeen: 0 })
    await register({ instanceId: 'c' })
    expect(await row()).toMatchObject({ enabled: false, apiUrl: 'https://a.example' })
    await back.registry.setEnabled(id, true)
    expect(await row()).toMatchObject({ enabled: true })
  })

  it('keeps the name that the bot gave a node over its restarts and a goodbye, until it is given its own again', async () => {
    await register({ instanceId: 'a' })
    await back.registry.rename(id, '=Mine')
    expect(await row()).toMatchObject({ label: '=Mine', apiUrl: 'https://a.example', enabled: true })
    await register({ instanceId: 'b', label: 'Blue' })
    await post('unregister', { serverId: id, instanceId: 'b' })
    await register({ instanceId: 'c', label: 'Green' })
    expect(await row()).toMatchObject({ label: '=Mine' })
    await back.registry.rename(id, ' ')
    expect(await row()).toMatchObject({ label: 'Green' })
    await register({ instanceId: 'c', label: 'Red' })
    expect(await row()).toMatchObject({ label: 'Red' })
    await expect(back.registry.rename(`${id}-nobody`, 'x')).rejects.toMatchObject({ code: 'REGISTRY_REFUSED', context: { action: 'rename', code: 'unknown_server' } })
  })

  it('lists what a node serves beside speech, as it said last, and nothing of one that has gone', async () => {
    const paths = ['/v1/chat/completions', '/v1/images/*']
    await register({ paths })
    expect(await row()).toMatchObject({ paths })
    await post('heartbeat', { serverId: id })
    expect(await row()).toMatchObject({ paths })
    await register({})
    expect((await row())?.paths).toBeUndefined()
    await register({ paths })
    await post('setEnabled', { serverId: id, enabled: false })
    await post('unregister', { serverId: id })
    expect((await row())?.paths).toBeUndefined()
    for (const bad of [['/v1/../x'], ['v1/x'], ['/v1/x?y'], Array.from({ length: 51 }, (_, index) => `/v1/${index}`), [`/${'x'.repeat(128)}`]]) {
      expect(codeOf(await register({ paths: bad }))).toBe('bad_request')
    }
  })

  it('says since when a node is registered, by its own clock', async () => {
    const firstMs = clock.now()
    await register({ instanceId: 'a' })
    await clock.advance(5000)
    await register({ instanceId: 'a', apiUrl: 'https://moved.example' })
    await post('heartbeat', { serverId: id, instanceId: 'a' })
    expect(await row()).toMatchObject({ registeredAt: firstMs, lastSeen: clock.now() })
    await register({ instanceId: 'b' })
    expect(await row()).toMatchObject({ registeredAt: clock.now() })
  })

  it('tells an older instance that a later one took its place, and lets it change nothing', async () => {
    await register({ instanceId: 'old' })
    await register({ instanceId: 'new', apiUrl: 'https://new.example' })
    expect(codeOf(await post('heartbeat', { serverId: id, instanceId: 'old', apiUrl: 'https://old.example' }))).toBe('superseded')
    expect(codeOf(await register({ instanceId: 'old', apiUrl: 'https://old.example' }))).toBe('superseded')
    expect(codeOf(await post('unregister', { serverId: id, instanceId: 'old' }))).toBe('superseded')
    expect(await row()).toMatchObject({ apiUrl: 'https://new.example' })
  })

  it('asks a node that it does not know to register', async () => {
    expect(codeOf(await post('heartbeat', { serverId: id }))).toBe('unknown_server')
    expect(codeOf(await post('setEnabled', { serverId: id, enabled: true }))).toBe('unknown_server')
    await register()
    expect(await post('unregister', { serverId: id })).toMatchObject({ ok: true })
    expect(await post('unregister', { serverId: id })).toMatchObject({ ok: true })
    expect(codeOf(await post('heartbeat', { serverId: id }))).toBe('unknown_server')
  })

  it('stamps a heartbeat with its own clock, and keeps, changes or clears the address', async () => {
    await register()
    await clock.advance(5000)
    await post('heartbeat', { serverId: id })
    expect(await row()).toMatchObject({ apiUrl: 'https://a.example', lastSeen: clock.now() })
    await post('heartbeat', { serverId: id, apiUrl: null })
    expect(await row()).toMatchObject({ apiUrl: null })
    await post('heartbeat', { serverId: id, apiUrl: 'https://c.example' })
    expect(await row()).toMatchObject({ apiUrl: 'https://c.example' })
  })

  it('takes a new capacity and concurrency from a heartbeat', async () => {
    await register()
    await post('heartbeat', { serverId: id, capacity: 40, concurrency: 4 })
    expect(await row()).toMatchObject({ capacity: 40, concurrency: 4, apiUrl: 'https://a.example' })
  })

  it('forgets a node that was silent for a day, with the next registration', async () => {
    await register()
    await clock.advance(DEAD_MS)
    await post('register', { serverId: `${id}-next`, apiUrl: 'https://b.example' })
    expect(await row()).toBeDefined()
    await clock.advance(1)
    await post('register', { serverId: `${id}-next`, apiUrl: 'https://b.example' })
    expect(await row()).toBeUndefined()
    expect(codeOf(await post('heartbeat', { serverId: id }))).toBe('unknown_server')
  })

  it('loses nothing of 30 nodes and their devices that come at once', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `${id}-${String(index)}`)
    const answers = await Promise.all(names.map((serverId) => post('register', { serverId, apiUrl: 'https://a.example' })))
    expect(answers.map((answer) => OkAnswer.parse(answer).ok)).toEqual(names.map(() => true))
    await Promise.all(names.map((serverId) => back.call({ method: 'POST', query: { action: 'presence', serverId, deviceId: serverId } })))
    const listed = new Map((await rows()).map((server) => [server.serverId, server]))
    expect(names.map((name) => listed.get(name)?.activeCount)).toEqual(names.map(() => 1))
  })

  it('warns in every answer that there is no key', async () => {
    for (const answer of [await register(), await post('heartbeat', { serverId: id }), await back.call({ method: 'GET', query: { action: 'list' } })]) {
      expect(OkAnswer.parse(answer).warning).toContain('no REGISTRY_KEY')
    }
  })

  it('counts the devices of the last 90 s, each once, where it was last', async () => {
    await register()
    await post('register', { serverId: `${id}-b`, apiUrl: 'https://b.example' })
    const list = await back.registry.sync([
      { deviceId: `${id}-1`, serverId: id },
      { deviceId: `${id}-2`, serverId: id },
      { deviceId: `${id}-2`, serverId: `${id}-b` },
      { deviceId: `${id}-3`, serverId: 'no-such-node' }
    ])
    expect(list.servers.find(({ serverId }) => serverId === id)).toMatchObject({ activeCount: 1, assignedCount: 1 })
    await clock.advance(PRESENCE_TTL_MS - 1)
    expect(await back.call({ method: 'POST', query: { action: 'presence', serverId: id, deviceId: `${id}-2` } })).toMatchObject({ ok: true, now: clock.now() })
    expect(await row()).toMatchObject({ activeCount: 2 })
    expect(await row(`${id}-b`)).toMatchObject({ activeCount: 0 })
    await clock.advance(1)
    expect(await row()).toMatchObject({ activeCount: 1 })
    await clock.advance(PRESENCE_TTL_MS)
    expect(await row()).toMatchObject({ activeCount: 0 })
  })

  it("refuses a browser's presence for a node that is not there", async () => {
    expect(codeOf(await back.call({ method: 'POST', query: { action: 'presence', serverId: id, deviceId: 'd' } }))).toBe('unknown_server')
    expect(codeOf(await back.call({ method: 'POST', query: { action: 'presence', serverId: id } }))).toBe('bad_request')
  })

  it('refuses what it can not read, with a code', async () => {
    expect(codeOf(await back.call({ method: 'GET', query: {} }))).toBe('unknown_action')
    expect(codeOf(await back.call({ method: 'POST', query: { action: 'constructor' }, body: '{}' }))).toBe('unknown_action')
    expect(codeOf(await back.call({ method: 'GET', query: { action: 'register' } }))).toBe('bad_request')
    expect(codeOf(await back.call({ method: 'GET', query: { action: 'presence', serverId: id, deviceId: 'd' } }))).toBe('bad_request')
    for (const body of ['', '{', 'null', '[]', '{"__proto__":{"serverId":"x"}}', '['.repeat(100_000), JSON.stringify({ serverId: id, apiUrl: 'https://a.example', pad: 'x'.repeat(1_000_000) })]) {
      expect(codeOf(await back.call({ method: 'POST', query: { action: 'register' }, body })), body.slice(0, 40)).toBe('bad_request')
    }
    expect(await row()).toBeUndefined()
  })
})

describe.each(Object.entries(backEnds))('the key, demanded by %s', (_name, start) => {
  const clock = manualClock()
  let back: BackEnd
  beforeAll(async () => void (back = await start(clock, KEY)))
  afterAll(() => back.close())

  const refused = { ok: false, error: { code: 'unauthorized' } }
  const body = (fields: object) => JSON.stringify({ serverId: 'n', apiUrl: 'https://a.example', ...fields })

  it.each([{}, { key: '' }, { key: 'correct horse batterx' }, { key: `${KEY} ` }, { key: [KEY] }, { key: 7 }])('is not %j', async (fields) => {
    expect(await back.call({ method: 'POST', query: { action: 'register' }, body: body(fields) })).toMatchObject(refused)
  })

  it('stands in the body of a write, and in the query of a call without a body', async () => {
    expect(await back.call({ method: 'POST', query: { action: 'register', key: KEY }, body: body({}) })).toMatchObject(refused)
    const welcome = await back.call({ method: 'POST', query: { action: 'register' }, body: body({ key: KEY }) })
    expect(welcome).toEqual({ ok: true, now: clock.now() })
    expect(await back.call({ method: 'GET', query: { action: 'list' } })).toMatchObject(refused)
    expect(await back.call({ method: 'GET', query: { action: 'list', key: KEY } })).toMatchObject({ ok: true })
    const presence = { action: 'presence', serverId: 'n', deviceId: 'd' }
    expect(await back.call({ method: 'POST', query: presence })).toMatchObject(refused)
    expect(await back.call({ method: 'POST', query: { ...presence, key: KEY } })).toMatchObject({ ok: true })
  })

  it('is told by the client in every call', async () => {
    await back.registry.setEnabled('n', false)
    const list = await back.registry.sync([{ deviceId: 'd', serverId: 'n' }])
    expect(list).toEqual(await back.registry.list())
    expect(list).toMatchObject({ badRows: 0, nowMs: clock.now(), servers: [{ serverId: 'n', enabled: false, activeCount: 1 }] })
  })

  it('is missing from the fault of a client that has a wrong one', async () => {
    await expect(back.registry.setEnabled('nobody', true)).rejects.toMatchObject({ code: 'REGISTRY_REFUSED', context: { action: 'setEnabled', code: 'unknown_server' } })
  })
})
