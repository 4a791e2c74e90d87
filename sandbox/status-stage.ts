import type { Snapshot } from '../bot/entry/status/snapshot.ts'
import { answered, panelOf, saidTo } from './panel.ts'
import type { Stage } from './stage.ts'

export interface StatusAnswer {
  status: number
  text: string
  /** What it holds, as JSON; undefined where there is no body. */
  body: { ok?: boolean; result?: Record<string, unknown>; error?: { code: string }; isAdmin?: boolean } | undefined
  cookie: string | undefined
}

/** The status page's own calls, as a browser on it makes them. */
export function statusOf(stage: Stage) {
  const url = (path: string) => `http://127.0.0.1:${String(stage.bot.httpPort)}${path}`

  async function send(method: string, path: string, { cookie, body, headers }: { cookie?: string | undefined; body?: object; headers?: Record<string, string> } = {}): Promise<StatusAnswer> {
    const own = headers ?? { 'content-type': 'application/json', origin: url('') }
    const answer = await fetch(url(path), { method, headers: { ...own, ...(cookie !== undefined && { cookie }) }, ...(body !== undefined && { body: JSON.stringify(body) }) })
    const text = await answer.text()
    const isJson = /json/.test(answer.headers.get('content-type') ?? '')
    return { status: answer.status, text, body: isJson ? (JSON.parse(text) as StatusAnswer['body']) : undefined, cookie: answer.headers.getSetCookie()[0]?.split(';')[0] }
  }

  async function snapshot(): Promise<Snapshot> {
    return JSON.parse((await send('GET', '/api/status')).text) as Snapshot
  }

  /** What the panel says to who presses its button for the page. */
  async function pressOpen(name: string): Promise<string> {
    const panel = panelOf(stage, await stage.reply(name, 'general', 'nodes', {}, { subcommand: 'panel' }), 'nodes')
    return saidTo(stage, await answered(stage, await panel.press(name, 'open'))) ?? ''
  }

  return {
    url,
    send,
    snapshot,
    pressOpen,
    node: async (label: string) => (await snapshot()).nodes.find((node) => node.label === label),
    /** By the panel's link, the cookie of an admin's session. */
    async enter(name: string): Promise<string> {
      const token = /#admin=([\w-]+)>/.exec(await pressOpen(name))?.[1] ?? ''
      return (await send('POST', '/api/session', { body: { token } })).cookie ?? ''
    }
  }
}
