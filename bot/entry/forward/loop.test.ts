import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openEntry } from '../../../sandbox/entry/open-entry.ts'
import type { TestEntry } from '../../../sandbox/entry/open-entry.ts'
import { head } from '../../../sandbox/entry/raw-caller.ts'
import type { Answer } from '../../../sandbox/entry/raw-caller.ts'
import { startRawUpstream } from '../../../sandbox/entry/raw-upstream.ts'
import type { RawUpstream } from '../../../sandbox/entry/raw-upstream.ts'

const folder = mkdtempSync(join(tmpdir(), 'voxpool-forward-'))
let first: TestEntry
let second: TestEntry
let upstream: RawUpstream

beforeEach(async () => {
  upstream = await startRawUpstream()
  first = await openEntry({ folder: join(folder, 'first'), nodes: [], access: 'anyone' })
  second = await openEntry({ folder: join(folder, 'second'), nodes: [], access: 'anyone' })
})

afterEach(async () => {
  await Promise.all([first.close(), second.close()])
  await upstream.close()
})

afterAll(() => rmSync(folder, { recursive: true }))

const asNode = ({ port }: TestEntry) => ({ serverId: `entry-${port}`, url: `http://127.0.0.1:${port}`, isDead: true })

async function ask(method: string, ...lines: string[]): Promise<Answer> {
  const caller = await first.call()
  caller.send(head(`${method} /work/x HTTP/1.1`, 'Host: localhost', ...lines, ...(method === 'POST' ? ['Content-Length: 0'] : [])))
  return caller.answer()
}

const counted = ({ measures }: TestEntry) => measures.paths().find(({ name }) => name === '/work/*')?.requests

describe('two entries that have each other as nodes', () => {
  it.each(['GET', 'POST'])('send a %s round once, and the caller gets 502', async (method) => {
    await first.list([asNode(second)])
    await second.list([asNode(first)])
    const answer = await ask(method)
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([502, { ok: false, error: { code: 'upstream_failed' } }])
    // The second time it is refused with 508, and nobody is asked again.
    await expect.poll(() => counted(first)).toEqual({ '5xx': 2 })
    expect(counted(second)).toEqual({ '5xx': 1 })
  })

  it('send it on to a node that is none of them', async () => {
    await first.list([asNode(second)])
    await second.list([{ serverId: 'n1', url: upstream.url }])
    expect((await ask('GET')).status).toBe(200)
    expect(upstream.seen[0]?.headers.find(([name]) => name === 'via')?.[1]).toMatch(/^1\.1 voxpool-[0-9a-f]{8}, 1\.1 voxpool-[0-9a-f]{8}$/)
  })
})

it('an entry that is its own node asks itself once', async () => {
  await first.list([asNode(first)])
  expect((await ask('GET')).status).toBe(502)
  await expect.poll(() => counted(first)).toEqual({ '5xx': 2 })
})

it('a request of more hops than any honest one has is refused, where Via was left out on its way', async () => {
  await first.list([{ serverId: 'n1', url: upstream.url }])
  const hops = (count: number) => `Forwarded: ${Array.from({ length: count }, () => 'for=192.0.2.1').join(', ')}`
  expect((await ask('GET', hops(20))).status).toBe(200)
  const answer = await ask('GET', hops(21))
  expect([answer.status, JSON.parse(answer.body)]).toMatchObject([508, { ok: false, error: { code: 'loop_detected' } }])
  expect(upstream.seen).toHaveLength(1)
})
