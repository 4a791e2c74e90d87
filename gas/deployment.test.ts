import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DeployError, createClasp } from './clasp.ts'
import { deploy } from './deployment.ts'

const SCRIPT = `script-${'s'.repeat(40)}`
const DEPLOYMENT = `AKfycb${'d'.repeat(40)}`
const OTHER = `AKfycb${'e'.repeat(40)}`

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'voxpool-deploy-'))
  cpSync(join(import.meta.dirname, 'dist'), join(folder, 'dist'), { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true }))

const is = (says: object) => writeFileSync(join(folder, 'clasp-says.json'), JSON.stringify(says))
const calls = () => (existsSync(join(folder, 'calls.jsonl')) ? readFileSync(join(folder, 'calls.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as string[]) : [])
const commands = () => calls().map(([command]) => command)
const kept = () => JSON.parse(readFileSync(join(folder, '.deploy.json'), 'utf8')) as unknown
const run = (env: Record<string, string> = {}) =>
  deploy({ clasp: createClasp([process.execPath, join(import.meta.dirname, 'emulation/clasp.ts')], folder), folder, env, description: 'a test', say: () => {} })
const faultOf = async (env: Record<string, string> = { GAS_SCRIPT_ID: SCRIPT }) => run(env).then(() => 'no fault', (error: unknown) => (error instanceof DeployError ? `DeployError: ${error.message}` : String(error)))

describe('npm run deploy:gas', () => {
  it('pushes, and gives the deployment that it is told the new version: its address stays', async () => {
    expect(await run({ GAS_SCRIPT_ID: SCRIPT, GAS_DEPLOYMENT_ID: DEPLOYMENT })).toBe(`https://script.google.com/macros/s/${DEPLOYMENT}/exec`)
    expect(calls()).toEqual([
      ['show-authorized-user', '--json'],
      ['push', '--force', '--json'],
      ['update-deployment', DEPLOYMENT, '--description', 'a test', '--json']
    ])
    expect(JSON.parse(readFileSync(join(folder, '.clasp.json'), 'utf8'))).toEqual({ scriptId: SCRIPT, rootDir: 'dist' })
  })

  it('knows both ids from the second time on', async () => {
    await run({ GAS_SCRIPT_ID: SCRIPT, GAS_DEPLOYMENT_ID: DEPLOYMENT })
    expect(kept()).toEqual({ scriptId: SCRIPT, deploymentId: DEPLOYMENT })
    expect(await run()).toContain(DEPLOYMENT)
    expect(commands().slice(-2)).toEqual(['push', 'update-deployment'])
  })

  it('takes the only deployment there is, made by hand before', async () => {
    is({ deployments: [{ deploymentId: DEPLOYMENT, versionNumber: 3 }] })
    expect(await run({ GAS_SCRIPT_ID: SCRIPT })).toContain(DEPLOYMENT)
    expect(commands()).not.toContain('create-deployment')
  })

  it('makes one where there is none, once', async () => {
    const url = await run({ GAS_SCRIPT_ID: SCRIPT })
    expect(await run()).toBe(url)
    expect(commands().filter((command) => command?.endsWith('deployment'))).toEqual(['create-deployment', 'update-deployment'])
  })

  it('asks which one is meant where there are several, before it changes anything', async () => {
    is({ deployments: [{ deploymentId: DEPLOYMENT, versionNumber: 3 }, { deploymentId: OTHER, versionNumber: 4 }] })
    expect(await faultOf()).toMatch(new RegExp(`DeployError: .*GAS_DEPLOYMENT_ID:\n.*${DEPLOYMENT} \\(version 3\\)\n.*${OTHER}`))
    expect(commands()).not.toContain('push')
  })

  it('uses no deployment of another script', async () => {
    await run({ GAS_SCRIPT_ID: SCRIPT, GAS_DEPLOYMENT_ID: DEPLOYMENT })
    is({ deployments: [{ deploymentId: OTHER, versionNumber: 1 }] })
    expect(await run({ GAS_SCRIPT_ID: `${SCRIPT}2` })).toContain(OTHER)
  })
})

describe('a deployment that fails says what is to be done', () => {
  it.each([
    ['without a script id', {}, {}, /GAS_SCRIPT_ID is missing/],
    ['with an address for an id', { GAS_SCRIPT_ID: 'https://script.google.com/x' }, {}, /not addresses/],
    ['when nobody is logged in', undefined, { loggedIn: false }, /deploy:gas -- login/],
    ['when the login has run out', undefined, { fails: { push: { text: 'invalid_grant', code: 1 } } }, /clasp push failed: invalid_grant\n-> log in/],
    ['when the API is off', undefined, { fails: { push: { text: 'User has not enabled the Apps Script API. Enable it by visiting ...', code: 1 } } }, /usersettings/],
    ['when the API is off, and clasp ends well all the same', undefined, { fails: { push: { text: 'User has not enabled the Apps Script API.', code: 0 } } }, /usersettings/],
    ['when the script is not there', undefined, { fails: { push: { text: 'Requested entity was not found.', code: 1 } } }, /check GAS_SCRIPT_ID/],
    ['when there are too many versions', undefined, { fails: { 'create-deployment': { text: 'Cannot create more versions: maximum number of versions reached', code: 1 } } }, /200 versions/],
    ['when clasp refuses an argument, and ends well all the same', undefined, { fails: { 'create-deployment': { text: 'error: bad', code: 0 } } }, /create-deployment failed/],
    ['when the address would change', { GAS_SCRIPT_ID: SCRIPT, GAS_DEPLOYMENT_ID: DEPLOYMENT }, { confused: true }, /the address has changed/]
  ])('%s', async (_when, env, says, message) => {
    is(says)
    const fault = await faultOf(env)
    expect(fault).toMatch(/^DeployError: /)
    expect(fault).toMatch(message)
    expect(existsSync(join(folder, '.deploy.json'))).toBe(false)
  })

  it('when clasp hangs, and a program that npx would be does not let go of it', async () => {
    is({ hangs: 'show-authorized-user' })
    const script = join(import.meta.dirname, 'emulation/clasp.ts')
    const clasp = createClasp(['sh', '-c', `"${process.execPath}" "${script}" "$@"; true`, 'npx'], folder, { limitMs: 1500 })
    await expect(clasp('show-authorized-user')).rejects.toThrow('clasp show-authorized-user did not end within 1.5 s')
    expect(commands()).toEqual(['show-authorized-user'])
  })

  it('when clasp is not there', async () => {
    const clasp = createClasp([join(folder, 'nothing')], folder)
    await expect(clasp('push')).rejects.toThrow(/can not be started/)
  })

  it('when what it kept was damaged', async () => {
    writeFileSync(join(folder, '.deploy.json'), '{')
    expect(await faultOf({})).toMatch(/DeployError: .*delete it/)
  })
})
