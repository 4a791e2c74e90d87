import OpenAI, { APIError } from 'openai'
import { startFaultNode } from '../fault-node.ts'
import type { FaultNode } from '../fault-node.ts'
import { openStage } from '../stage.ts'
import type { Stage } from '../stage.ts'

export interface SpeechStage extends Stage {
  node: FaultNode
  /** The official client, as anybody would set it up; it tries nothing twice. Without a key it sends none. */
  client(key?: string): OpenAI
  /** A path of the entry. */
  url(path: string): string
}

/** The client’s error; its type leaves the headers and the body open. @throws when it is answered, or fails otherwise */
export async function errorOf(asked: Promise<unknown>): Promise<APIError<number, Headers, object>> {
  const thrown: unknown = await asked.then(() => new Error('it was answered'), (error: unknown) => error)
  if (thrown instanceof APIError) return thrown as APIError<number, Headers, object>
  throw thrown
}

/** For tests of speech through the entry: the whole system with one node. */
export async function openSpeech(options: { packetsOf?: (text: string) => Uint8Array[]; env?: Record<string, string> } = {}): Promise<SpeechStage> {
  const { packetsOf, env } = options
  const stage = await openStage(env === undefined ? {} : { env })
  const node = await startFaultNode({ serverId: 'n1', concurrency: 4, ...(packetsOf !== undefined && { packetsOf }) })
  await stage.register(node, { concurrency: 4 })
  const url = (path: string) => `http://127.0.0.1:${String(stage.bot.httpPort)}${path}`
  const own = {
    node,
    url,
    client: (key?: string) =>
      new OpenAI({ baseURL: url('/v1'), apiKey: key ?? 'none', maxRetries: 0, ...(key === undefined && { defaultHeaders: { Authorization: null } }) }),
    async close() {
      await stage.close()
      await node.close()
    }
  }
  // The stage's own members are getters too: its bot changes with a restart.
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(stage), ...Object.getOwnPropertyDescriptors(own) }) as SpeechStage
}
