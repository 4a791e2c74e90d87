import { afterEach, beforeEach, expect, it } from 'vitest'
import { Hono } from 'hono'
import { createLog } from '../core/log.ts'
import { createMetrics } from '../core/metrics.ts'
import { startEntry } from './server.ts'
import type { Entry } from './server.ts'

let entry: Entry

beforeEach(async () => {
  const registry = new Hono()
  registry.all('/registry', (context) => context.json({ ok: true }))
  entry = await startEntry({ host: '127.0.0.1', port: 0, log: createLog('silent'), metrics: createMetrics(), ready: () => ({ ok: true }), registry })
})

afterEach(() => entry.close())

it.each([
  ['a program of this machine', 'action=list', {}, 200],
  ['somebody for whom a proxy asks', 'action=list', { 'x-forwarded-for': '203.0.113.7' }, 403],
  ['somebody behind a tunnel', 'action=register', { 'cf-connecting-ip': '203.0.113.7' }, 403],
  ['a page of another site', 'action=list', { origin: 'https://evil.example' }, 403],
  ['a page of another site that tells a presence', 'action=presence&serverId=n1&deviceId=d1', { origin: 'https://app.example' }, 200]
])('a registry without a key answers %s as it should', async (_, query, headers: Record<string, string>, status) => {
  expect((await fetch(`http://127.0.0.1:${String(entry.port)}/registry?${query}`, { headers })).status).toBe(status)
})
