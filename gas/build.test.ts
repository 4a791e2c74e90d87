import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { afterAll, describe, expect, it } from 'vitest'

const dist = join(import.meta.dirname, 'dist')
const folder = mkdtempSync(join(tmpdir(), 'voxpool-gas-'))
afterAll(() => rmSync(folder, { recursive: true }))
const build = (...rest: string[]) => spawnSync(process.execPath, [join(import.meta.dirname, 'build.ts'), ...rest], { encoding: 'utf8', timeout: 60_000 })

describe('the bundle', () => {
  it('is committed as the sources make it, byte for byte', () => {
    expect(build(folder).status).toBe(0)
    for (const name of ['Code.js', 'appsscript.json']) {
      expect(readFileSync(join(dist, name), 'utf8') === readFileSync(join(folder, name), 'utf8'), `gas/dist/${name} is fresh`).toBe(true)
    }
  })

  it('is found stale when it is not what the sources make', () => {
    build(folder)
    expect(build('--check', folder).status).toBe(0)
    appendFileSync(join(folder, 'Code.js'), '\n')
    const check = build('--check', folder)
    expect(check.status).toBe(1)
    expect(check.stderr).toContain('Code.js is stale: run npm run build:gas')
  })

  it('declares what Apps Script calls, and needs nothing that it has not', () => {
    const context = createContext({})
    runInContext(readFileSync(join(dist, 'Code.js'), 'utf8'), context)
    expect(runInContext('[typeof doGet, typeof doPost, typeof setup]', context)).toEqual(['function', 'function', 'function'])
    expect(runInContext('[typeof URL, typeof fetch, typeof setTimeout, typeof process]', context)).toEqual(Array(4).fill('undefined'))
  })

  it('is deployed for everybody, as the owner', () => {
    expect(JSON.parse(readFileSync(join(dist, 'appsscript.json'), 'utf8'))).toMatchObject({
      runtimeVersion: 'V8',
      timeZone: 'Etc/UTC',
      webapp: { executeAs: 'USER_DEPLOYING', access: 'ANYONE_ANONYMOUS' }
    })
  })
})
