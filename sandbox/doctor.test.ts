import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FINDINGS } from '../bot/doctor/finding.ts'
import type { Report } from '../bot/doctor/report.ts'
import { diagnose, partOf, startProgram, verdict } from './doctor-ward.ts'
import { startFaultNode } from './fault-node.ts'
import type { FaultNode } from './fault-node.ts'
import { openStage } from './stage.ts'
import type { Stage } from './stage.ts'

const MAIN = fileURLToPath(new URL('../bot/doctor/main.ts', import.meta.url))

let stage: Stage
let node: FaultNode
beforeAll(async () => {
  stage = await openStage()
  node = await startFaultNode({ serverId: 'desk' })
  await stage.register(node)
})
afterAll(async () => {
  await stage.close()
  await node.close()
})

/** The settings of the bot that runs. */
const env = () => ({ DISCORD_TOKEN: stage.sandbox.token, DISCORD_API_URL: stage.sandbox.apiUrl, NODE_HOSTS: '127.0.0.1', HTTP_PORT: String(stage.bot.httpPort) })

/** The doctor as an operator runs it. */
async function run(settings: Record<string, string>, ...args: string[]): Promise<{ code: number; said: string }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, ...args], { env: { PATH: process.env['PATH'] ?? '', ...settings }, stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (text: Buffer) => (said += text.toString()))
  const [code] = (await once(child, 'close')) as [number]
  return { code, said }
}

/** What differs from run to run. */
const steady = (text: string) => text.replaceAll(/\b\d+ ms\b/g, 'N ms').replaceAll(/test-[0-9a-f]{8}/g, 'test-ID').replaceAll(/127\.0\.0\.1:\d+/g, 'HOST').replaceAll(/\(\d{15,21}\)/g, '(ID)')

describe('npm run doctor', () => {
  it('finds all well beside a bot that runs, in lines without colours, and disturbs nothing', async () => {
    const { code, said } = await run(env())
    expect(steady(said).split('\n')).toEqual([
      '[ok]      settings: can all be read. (settings.ok)',
      expect.stringMatching(/^\[ok\] {6}DISCORD_TOKEN: belongs to the application \S.* \(ID\)\. \(discord\.token\)$/),
      '[ok]      intents: Message Content is granted. (discord.intent)',
      '[ok]      server Voxpool Sandbox: the bot has all permissions, as far as its channels don’t take them away. (discord.permissions)',
      expect.stringMatching(/^\[ok\] {6}commands: all \d+ are registered as they are here\. \(discord\.commands\)$/),
      '[ok]      registry: the bot’s own, at HOST within N ms, and lists 1 node. (registry.ok)',
      '[ok]      registry: knows all actions of this bot. (registry.version)',
      '[ok]      clock: registry and this machine agree. (registry.clock)',
      '[ok]      node desk: spoke within N ms, and has request test-ID in its own log. (node.ok)',
      '[ok]      nodes: 1 of 1 node spoke. (nodes.usable)',
      '',
      'All well: 10 well.',
      ''
    ])
    expect([code, stage.sandbox.gateway.sessionCount()]).toEqual([0, 1])
  })

  it('says the same as one JSON document, with exit code 2 and the next step where a link is broken', async () => {
    const { code, said } = await run({ ...env(), DISCORD_TOKEN: 'not-a-token-of-any-application', REGISTRY_KEYS: 'x' }, '--json')
    const report = JSON.parse(said) as Report
    expect([code, report.ok, report.exitCode]).toEqual([2, false, 2])
    expect(verdict(report)).toEqual([2, 'settings.unknown', 'discord.token-wrong', 'discord.unseen'])
    for (const each of report.findings) expect(Object.keys(each)).toEqual(['id', 'area', 'level', 'subject', 'message', 'nextStep', 'evidence'])
    expect(report.findings.find(({ id }) => id === 'discord.token-wrong')).toEqual({
      id: 'discord.token-wrong',
      area: 'discord',
      level: 'broken',
      subject: 'DISCORD_TOKEN',
      message: 'is not a token that Discord knows.',
      nextStep: 'Copy it anew: Discord Developer Portal, your application, "Bot", "Reset Token".',
      evidence: {}
    })
    expect(said).not.toContain('not-a-token')
  })

  it('prints each next step below its finding, in colours where they are wanted', async () => {
    const plain = await run({ HTTP_PORT: 'http' })
    expect([plain.code, plain.said.split('\n').slice(0, 2)]).toEqual([
      2,
      ['[broken]  HTTP_PORT: can\'t be used: expected a port number, 0 to 65535. (settings.fault)', '          -> Set HTTP_PORT anew, or leave it out; README has a table of all settings.']
    ])
    const painted = await run({ HTTP_PORT: 'http', FORCE_COLOR: '1' })
    expect(painted.said).toContain('\u001b[31m[broken]')
    expect(stripVTControlCharacters(painted.said)).toBe(plain.said)
  })

  it('names every fault of the settings, and calls what comes after them unseen', async () => {
    const report = await diagnose({ HTTP_PORT: 'http', GAS_URL: 'script', LOG_LEVEL: 'loud' })
    expect(verdict(report)).toEqual([2, 'settings.fault', 'settings.fault', 'settings.fault', 'discord.unseen', 'registry.unseen', 'nodes.unseen'])
    expect(report.findings.slice(0, 3).map(({ subject }) => subject).sort()).toEqual(['GAS_URL', 'HTTP_PORT', 'LOG_LEVEL'])
  })

  it('says of a setting that is missing to set it, and names the one that was meant for it', async () => {
    const { findings } = await diagnose({ HTTP_HOST: '0.0.0.0', REGISTRY_KEYS: 'abcdefgh' })
    expect(findings.filter(({ area }) => area === 'settings').map(({ id, subject, nextStep }) => [id, subject, nextStep])).toEqual([
      ['settings.fault', 'REGISTRY_KEY', 'Set REGISTRY_KEY; README has a table of all settings.'], ['settings.unknown', 'REGISTRY_KEYS', 'Correct its name, or take it away.']
    ])
  })

  it('sends from a bot without the doctor’s key to the settings of both', async () => {
    const report = await diagnose({ ...env(), REGISTRY_KEY: 'a-key-that-the-bot-does-not-have' })
    expect(verdict(report)).toEqual([1, 'registry.open'])
    expect(report.findings.find(({ id }) => id === 'registry.open')?.nextStep).toBe('Start the bot again with the REGISTRY_KEY that the doctor has, or leave it out for the doctor as well.')
  })

  it('says that no bot runs, and does not call what it could not look at well or broken', async () => {
    const gone = await startProgram(() => undefined)
    await gone.close()
    for (const HTTP_PORT of [new URL(gone.origin).port, '0']) {
      expect(verdict(await diagnose({ ...env(), HTTP_PORT }))).toEqual([1, 'registry.not-running', 'nodes.unseen'])
    }
  })

  it('does not take a program that drops the connection for nobody', async () => {
    const dropping = await startProgram((request) => void request.socket.destroy())
    const report = await diagnose({ ...env(), HTTP_PORT: new URL(dropping.origin).port })
    expect(partOf(report, 'registry', 'nodes')).toEqual(['broken registry.unreachable', 'unseen registry.unseen', 'unseen nodes.unseen'])
    expect(report.findings.find(({ id }) => id === 'registry.unreachable')?.nextStep).toMatch(/^See which program has HTTP_PORT/)
    await dropping.close()
  })

  it('names another program, or a bot with another registry, where the bot would carry its own', async () => {
    const BROKEN = ['broken registry.elsewhere', 'unseen registry.unseen', 'unseen nodes.unseen']
    const other = await startProgram((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello</p>'))
    expect(partOf(await diagnose({ ...env(), HTTP_PORT: new URL(other.origin).port }), 'registry', 'nodes')).toEqual(BROKEN)
    await other.close()
    const elsewhere = await openStage({ env: { GAS_URL: 'http://127.0.0.1:9/exec' } })
    expect(partOf(await diagnose({ ...env(), HTTP_PORT: String(elsewhere.bot.httpPort) }), 'registry', 'nodes')).toEqual(BROKEN)
    await elsewhere.close()
  })

  it('comes to an end where nothing ever answers', async () => {
    const hung = await startProgram(() => undefined)
    const report = await diagnose({ ...env(), DISCORD_API_URL: `${hung.origin}/api`, GAS_URL: `${hung.origin}/exec` })
    expect(verdict(report)).toEqual([2, 'discord.unreachable', 'discord.unseen', 'registry.silent', 'registry.unseen', 'nodes.unseen'])
    await hung.close()
  })

  it('ends with what it has where whoever answers never ends', async () => {
    const dripping = await startProgram((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{')
      const drops = setInterval(() => response.write(' '), 100)
      response.once('close', () => clearInterval(drops))
    })
    const { code, said } = await run({ ...env(), DISCORD_API_URL: `${dripping.origin}/api`, GAS_URL: `${dripping.origin}/exec` }, '--json')
    expect([code, verdict(JSON.parse(said) as Report)]).toEqual([2, [2, 'discord.unreachable', 'discord.unseen', 'registry.silent', 'registry.unseen', 'nodes.unseen']])
    await dripping.close()
    // The doctor's own limit for Discord is 25 s, and it is a process of its own.
  }, 120_000)

  it('has a line in docs/doctor.md for every finding there is, and for no other', () => {
    const page = readFileSync(new URL('../docs/doctor.md', import.meta.url), 'utf8')
    const lines = [...page.matchAll(/^\| `([a-z]+\.[a-z-]+)` \| ([a-z]+)/gm)].map(([, id, level]) => [id, level])
    expect(Object.fromEntries(lines)).toEqual(FINDINGS)
  })
})
