import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage } from '../stage.ts'
import type { Stage } from '../stage.ts'

const folder = mkdtempSync(join(tmpdir(), 'voxpool-documentation-'))
let stage: Stage

beforeAll(async () => {
  mkdirSync(join(folder, 'own/docs'), { recursive: true })
  writeFileSync(join(folder, 'own/docs/index.html'), 'their own')
  const manifest = join(folder, 'services.json')
  writeFileSync(manifest, JSON.stringify({ sites: [{ host: 'own.test', kind: 'pages', root: join(folder, 'own') }] }))
  stage = await openStage({ env: { SERVICES_FILE: manifest } })
})

afterAll(async () => {
  await stage.close()
  rmSync(folder, { recursive: true })
})

function ask(path: string, host = 'localhost'): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: stage.bot.httpPort, path, headers: { host, accept: 'text/html' } }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => (body += text))
      response.on('end', () => resolve({ status: response.statusCode, body }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

describe('the documentation of a running bot', () => {
  it('is at its entry, with a page of its own for what is not there', async () => {
    expect(await ask('/docs/')).toMatchObject({ status: 200, body: expect.stringContaining('<h1>Voxpool</h1>') as string })
    expect(await ask('/docs/members')).toMatchObject({ status: 200, body: expect.stringContaining('<h1>Being heard</h1>') as string })
    expect(await ask('/docs/nowhere')).toMatchObject({ status: 404, body: expect.stringContaining('<h1>There is no such page</h1>') as string })
  })

  it('leaves a host to the operator’s own site', async () => {
    expect(await ask('/docs/', 'own.test')).toEqual({ status: 200, body: 'their own' })
  })

  it('is there again after a restart on the same disk', async () => {
    await stage.restart()
    expect((await ask('/docs/nodes')).status).toBe(200)
  })
})
