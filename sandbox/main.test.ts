import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../bot/core/clock.ts'
import { openDataDir } from '../bot/core/data-dir.ts'
import { silentLog } from '../bot/core/log.ts'
import { startSandbox } from './start.ts'
import type { Sandbox } from './start.ts'

const MAIN = fileURLToPath(new URL('../bot/main.ts', import.meta.url))

let sandbox: Sandbox | undefined
afterEach(async () => {
  await sandbox?.close()
  sandbox = undefined
})

/** Runs the bot as an operator does, with these settings and no others. Once it has said what is waited for it is asked to end, or something else is done. */
async function run(env: Record<string, string>, args: string[] = ['--bot-only'], until?: RegExp, act?: () => void): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, ...args], {
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: mkdtempSync(join(tmpdir(), 'voxpool-main-')), HTTP_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let said = ''
  let acted = false
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => {
      said += text.toString()
      if (acted || until?.test(said) !== true) return
      acted = true
      if (act === undefined) child.kill('SIGTERM')
      else act()
    })
  }
  const [code] = (await once(child, 'exit')) as [number | null]
  return { code, said: said.trim() }
}

describe('the bot’s start', () => {
  it('names every bad setting at once and exits 1', async () => {
    const { code, said } = await run({ HTTP_PORT: 'http', GAS_URL: 'script', LOG_LEVEL: 'loud' })
    expect(code).toBe(1)
    expect(said.split('\n').map((line) => line.split(':')[0]).sort()).toEqual(['GAS_URL', 'HTTP_PORT', 'LOG_LEVEL'])
  })

  it('refuses a public path without smoke paths, names each fault of the manifest, and exits 1', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'voxpool-main-')), 'services.json')
    writeFileSync(file, JSON.stringify({ services: [{ path: '/v1/chat/completions' }, { path: 'chat', smoke: [{ path: '/chat' }] }] }))
    const { code, said } = await run({ DISCORD_TOKEN: 'token', SERVICES_FILE: file })
    expect(code).toBe(1)
    expect(said.split('\n').map((line) => line.split(': ')[1])).toEqual(['services.0.smoke', 'services.1.path'])
  })

  it('says what is missing without a token, and exits 1', async () => {
    const { code, said } = await run({})
    expect([code, said.split('\n').length]).toEqual([1, 1])
    expect(said).toMatch(/^DISCORD_TOKEN is not set/)
  })

  it('says in one clear line that the token is wrong, without the token', async () => {
    sandbox = await startSandbox()
    const token = 'MTEwMDAwMDAwMDAwMDAwMDAwMQ.Wrong.not-the-token-of-this-sandbox'
    const { code, said } = await run({ DISCORD_TOKEN: token, DISCORD_API_URL: sandbox.apiUrl })
    expect([code, said.split('\n').length]).toEqual([1, 1])
    expect(said).toMatch(/^DISCORD_TOKEN is not a token that Discord knows/)
    expect(said).not.toContain(token)
  })

  it('runs against Discord with a token, and ends with 0 when it is asked to', async () => {
    sandbox = await startSandbox()
    const { code, said } = await run({ DISCORD_TOKEN: sandbox.token, DISCORD_API_URL: sandbox.apiUrl }, ['--bot-only'], /commands registered/)
    expect([code, said.includes(sandbox.token)]).toEqual([0, false])
  })

  it.each([['a token that was reset', 4004], ['an intent that was taken away', 4014]])('ends with 1 when Discord ends the connection for good, and says so: %s', async (_, closeCode) => {
    sandbox = await startSandbox()
    const { code, said } = await run({ DISCORD_TOKEN: sandbox.token, DISCORD_API_URL: sandbox.apiUrl }, ['--bot-only'], /commands registered/, () => sandbox?.gateway.drop(closeCode))
    expect(code).toBe(1)
    expect(said).toMatch(/Discord has ended the connection for good/)
  })

  it('leaves a folder alone that another bot uses, in one clear line', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'voxpool-main-'))
    const other = openDataDir(dataDir, () => undefined, { clock: systemClock, log: silentLog })
    const { code, said } = await run({ DISCORD_TOKEN: 'of-no-use-here', DATA_DIR: dataDir })
    expect([code, said]).toEqual([1, `DATA_DIR (${dataDir}): another Voxpool uses this folder. End it, or give this one a folder of its own.`])
    await other.close()
  })

  it('sets a damaged database aside, says so, and runs', async () => {
    sandbox = await startSandbox()
    const dataDir = mkdtempSync(join(tmpdir(), 'voxpool-main-'))
    writeFileSync(join(dataDir, 'voxpool.db'), 'this is no database'.repeat(300))
    const { code, said } = await run({ DISCORD_TOKEN: sandbox.token, DISCORD_API_URL: sandbox.apiUrl, DATA_DIR: dataDir }, ['--bot-only'], /commands registered/)
    expect(code).toBe(0)
    expect(said).toMatch(/voxpool\.db is damaged \(file is not a database\); it was set aside as .*voxpool\.db\.damaged-/)
    expect(readdirSync(dataDir).filter((name) => name.includes('damaged'))).toHaveLength(1)
  })
})
