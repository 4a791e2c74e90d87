import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { parseOggOpus } from '../bot/audio/ogg.ts'
import { ensureVenv } from '../colab/venv.ts'
import type { Venv } from '../colab/venv.ts'
import { bundle } from '../gas/bundle.ts'
import { startAppsScript } from '../gas/emulation/start-apps-script.ts'
import { startPythonNode } from './python-node.ts'
import type { PythonNode } from './python-node.ts'
import { openStage } from './stage.ts'
import type { Stage } from './stage.ts'

let venv: Venv
beforeAll(async () => {
  venv = await ensureVenv(() => {})
})

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function openWithNodes(ids: string[], env: Record<string, string> = {}): Promise<{ stage: Stage; nodes: Map<string, PythonNode>; start: (serverId: string) => void }> {
  const stage = await openStage({ env })
  closing.push(stage.close)
  const nodes = new Map<string, PythonNode>()
  const gasUrl = env['GAS_URL'] ?? `http://127.0.0.1:${stage.bot.httpPort}/registry`
  const start = (serverId: string) => {
    if (!venv.ok) throw new Error(`the real node needs Python: ${venv.reason}`)
    const node = startPythonNode(venv.python, { GAS_URL: gasUrl, SERVER_ID: serverId, ENGINE: 'tone', HEARTBEAT_SEC: '5', NODE_KEY: '', REGISTRY_KEY: '' })
    nodes.set(serverId, node)
    closing.push(node.stop)
  }
  ids.forEach(start)
  await untilUsable(stage, ids)
  return { stage, nodes, start }
}

/** Asks the registry as often as it takes: the loop's own interval is for real life. */
async function untilUsable(stage: Stage, ids: string[]): Promise<void> {
  await expect
    .poll(
      async () => {
        await stage.bot.app.sync.now()
        return stage.bot.app.pool.nodes().filter(({ health, apiUrl }) => health.state === 'ready' && apiUrl !== null).map(({ serverId }) => serverId).sort()
      },
      { timeout: 60_000, interval: 200 }
    )
    .toEqual([...ids].sort())
}

const own = ({ bot, guildId, person }: Stage, name: string) => bot.app.assignments.get(bot.app.deviceIdOf(guildId, person(name))) ?? ''
/** What a node makes of a text when it is asked directly: the tone engine makes the same of the same every time. */
async function packetsFrom(apiUrl: string, input: string): Promise<string[]> {
  const response = await fetch(`${apiUrl}/v1/audio/speech`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input, response_format: 'opus' })
  })
  const parsed = parseOggOpus(new Uint8Array(await response.arrayBuffer()))
  return parsed.ok ? parsed.stream.packets.map((packet) => Buffer.from(packet).toString('hex')) : []
}

const durationMs = (bytes: Uint8Array | undefined) => {
  const parsed = parseOggOpus(bytes ?? new Uint8Array())
  return parsed.ok ? parsed.stream.durationMs : 0
}

// Where there is no Python at all, the tone node in TypeScript speaks in the rehearsal; its own test covers that.
describe('three real nodes', () => {
  it('one is killed during a request: the member hears the whole text once, from another; the dead one is left alone until it answers', async () => {
    const { stage, nodes } = await openWithNodes(['n1', 'n2', 'n3'])
    stage.sandbox.act.joinVoice(stage.person('Mina'), stage.channel('Lounge'))
    const listener = stage.sandbox.voice.listen(stage.guildId, stage.channel('Lounge'))
    await stage.replyLike(stage.slash('Mina', 'general', 'say', { text: 'First, who is it?' }), /Said in/)
    const before = listener.speech.length
    const text = 'A whole sentence, said once.'
    const dying = own(stage, 'Mina')
    // Stopped first, so that the request is surely under way when it dies.
    nodes.get(dying)?.signal('SIGSTOP')
    const said = stage.slash('Mina', 'general', 'say', { text })
    const inFlight = () => stage.bot.app.pool.nodes().find(({ serverId }) => serverId === dying)?.inFlight
    await expect.poll(inFlight).toBe(1)
    nodes.get(dying)?.signal('SIGKILL')
    await stage.replyLike(said, /Said in/)
    const heard = listener.speech.slice(before).map(({ opus }) => Buffer.from(opus).toString('hex'))
    expect(heard).toEqual(await packetsFrom(stage.bot.app.pool.usable(own(stage, 'Mina'))?.apiUrl ?? '', text))
    expect(own(stage, 'Mina')).not.toBe(dying)

    const requests = async () => {
      const { values } = await stage.bot.app.metrics.nodeRequests.get()
      return values.filter(({ labels }) => labels.node === dying).reduce((sum, { value }) => sum + value, 0)
    }
    const asked = await requests()
    for (const name of ['Haru', 'Jisoo', 'Alex']) await stage.reply(name, 'general', 'say', { text: `It is ${name}.`, deliver: 'file' })
    expect(await requests()).toBe(asked)
  })

  it('one starts again under the same id at another address: it is used there', async () => {
    const { stage, nodes, start } = await openWithNodes(['n1'])
    const first = stage.bot.app.pool.nodes()[0]?.apiUrl
    await nodes.get('n1')?.stop()
    start('n1')
    await expect
      .poll(async () => {
        await stage.bot.app.sync.now()
        const [node] = stage.bot.app.pool.nodes()
        return node?.apiUrl != null && node.apiUrl !== first && node.health.state
      }, { timeout: 60_000, interval: 200 })
      .toBe('ready')
    const reply = await stage.reply('Alex', 'general', 'say', { text: 'Back again.' })
    expect(durationMs(reply.attachments[0]?.bytes)).toBeGreaterThan(300)
  })
})

describe('/nodes test of a real node', () => {
  it('finds the request in the node’s own log, with the voice that spoke', async () => {
    const { stage } = await openWithNodes(['n1'])
    const { content, attachments } = await stage.reply('Mina', 'general', 'nodes', { node: 'n1' }, { subcommand: 'test' })
    expect(content).toMatch(/both ends know the request/)
    expect(content).toMatch(/answered 200 after \d+ ms, voice tone \(tone\), 13 characters$/)
    expect(durationMs(attachments[0]?.bytes)).toBeGreaterThan(300)
  })
})

describe('a registry in Apps Script', () => {
  it('carries real nodes; one that the operator switches off in the sheet is left; and the bot speaks on when all of it is down', async () => {
    // The nodes are on this machine: what is deployed refuses plain http.
    const script = await startAppsScript({ code: await bundle({ allowLoopback: true }) })
    closing.push(script.close)
    const { stage } = await openWithNodes(['n1', 'n2'], { GAS_URL: script.url })
    await stage.reply('Alex', 'general', 'say', { text: 'One.' })
    const first = own(stage, 'Alex')

    const servers = script.grid('servers')
    const rows = servers.values(servers.dataArea())
    const row = rows.findIndex((cells) => cells[0] === first) + 1
    const column = (rows[0]?.indexOf('enabled') ?? -1) + 1
    servers.setValues({ row, column, rows: 1, columns: 1 }, [['FALSE']])
    await stage.bot.app.sync.now()
    await stage.reply('Alex', 'general', 'say', { text: 'Two.' })
    expect(own(stage, 'Alex')).not.toBe(first)

    script.failFirstHop('quota')
    await stage.bot.app.sync.now()
    for (const text of ['Three.', 'Four.']) {
      const reply = await stage.reply('Alex', 'general', 'say', { text })
      expect(durationMs(reply.attachments[0]?.bytes)).toBeGreaterThan(100)
    }
    const status = await stage.replyLike(stage.slash('Alex', 'general', 'status'), /Nodes that can speak/)
    expect(status.content).toMatch(/registry does not answer/)
    expect(status.content).toMatch(/REGISTRY_BAD_REPLY/)
    // And after a restart, with the registry still down: the roster on disk serves.
    await stage.restart()
    await expect.poll(() => stage.bot.app.pool.nodes().length).toBe(2)
    const reply = await stage.reply('Alex', 'general', 'say', { text: 'Five, after a restart.' })
    expect(durationMs(reply.attachments[0]?.bytes)).toBeGreaterThan(100)
    expect(script.violations).toEqual([])
  })
})
