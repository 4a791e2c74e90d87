import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Config } from '../bot/core/config.ts'
import { ensureVenv } from '../colab/venv.ts'
import { startPythonNode } from './python-node.ts'
import { startSandbox } from './start.ts'
import { startToneNode } from './tone-node.ts'

export interface Rehearsal {
  /** The settings of a bot whose Discord is the sandbox. */
  config: Config
  pageUrl: string
  /** Starts the one local node and has it register; a line says which voice it is. */
  startNode(registryUrl: string): Promise<void>
  /** The last line of a node that has ended by itself. */
  nodeEnded(): string | undefined
  close: () => Promise<void>
}

const SERVER_ID = 'local'
const COLOR = '#7c5cff'

/** Of the page, where it is free: an address that stays the same can be kept in a browser. */
const PAGE_PORT = 8789

/** The main job on this machine alone: a Discord of our own, and one real node. Nothing is sent anywhere else. */
export async function startRehearsal(given: Config, tell: (line: string) => void): Promise<Rehearsal> {
  const sandbox = await startSandbox({ port: (await isFree(PAGE_PORT)) ? PAGE_PORT : 0 })
  const config: Config = {
    ...given,
    DISCORD_TOKEN: sandbox.token,
    DISCORD_API_URL: sandbox.apiUrl,
    GAS_URL: undefined,
    NODE_HOSTS: ['127.0.0.1'],
    HTTP_PORT: (await isFree(given.HTTP_PORT)) ? given.HTTP_PORT : 0,
    DATA_DIR: join(given.DATA_DIR, 'rehearsal')
  }
  let stopNode = async () => {}
  let nodeEnded = (): string | undefined => undefined

  return {
    config,
    pageUrl: sandbox.pageUrl,
    async startNode(registryUrl) {
      const venv = await ensureVenv(tell)
      if (venv.ok) {
        const node = startPythonNode(venv.python, {
          GAS_URL: registryUrl,
          NODE_KEY: given.NODE_KEY ?? '',
          REGISTRY_KEY: given.REGISTRY_KEY ?? '',
          SERVER_ID,
          SERVER_LABEL: 'This machine',
          SERVER_COLOR: COLOR
        })
        stopNode = node.stop
        nodeEnded = node.ended
      } else {
        tell(`A real voice needs Python 3.10 or newer (${venv.reason}). Tones speak instead.`)
        stopNode = await startTones({ registryUrl, nodeKey: given.NODE_KEY, registryKey: given.REGISTRY_KEY })
      }
    },
    nodeEnded: () => nodeEnded(),
    async close() {
      await stopNode()
      await sandbox.close()
    }
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

interface NodeOptions {
  registryUrl: string
  nodeKey: string | undefined
  registryKey: string | undefined
}

/** The tone node in this process, with the registration that a runner would do for it. */
async function startTones({ registryUrl, nodeKey, registryKey }: NodeOptions): Promise<() => Promise<void>> {
  const node = await startToneNode({ serverId: SERVER_ID, ...(nodeKey !== undefined && { nodeKey }) })
  const post = (action: string, body: object) =>
    fetch(`${registryUrl}?action=${action}`, {
      method: 'POST',
      body: JSON.stringify({ serverId: SERVER_ID, ...body, ...(registryKey !== undefined && { key: registryKey }) })
    })
  const registered = (await (await post('register', { apiUrl: node.url, label: 'Tones', color: COLOR, capacity: 10 })).json()) as { ok: boolean }
  if (!registered.ok) throw new Error(`the tone node was not registered: ${JSON.stringify(registered)}`)
  const beat = setInterval(() => void post('heartbeat', {}).catch(() => undefined), 30_000)
  return async () => {
    clearInterval(beat)
    await node.close()
  }
}
