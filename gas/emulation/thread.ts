import { createContext, Script } from 'node:vm'
import { receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import type { WebEvent } from '../apps-script.ts'
import { createGlobals } from './globals.ts'
import type { Output } from './globals.ts'
import type { Asker, Request } from './services.ts'

/**
 * One thread that runs executions, one after another, each in a fresh context that holds Apps Script's globals and nothing of
 * Node: no `URL`, no `fetch`, no timers. Services answer from the main thread; a script, which can't await, stands still meanwhile.
 */
const { code, port, wake } = workerData as { code: string; port: MessagePort; wake: Int32Array }
const script = new Script(code, { filename: 'Code.js' })

function ask(request: Request): unknown {
  Atomics.store(wake, 0, 0)
  port.postMessage({ kind: 'ask', request })
  // A late wake-up of the last answer may end a wait too early: only the value says that this answer is there.
  while (Atomics.load(wake, 0) === 0) Atomics.wait(wake, 0, 0)
  const reply = receiveMessageOnPort(port)?.message as { value?: unknown; error?: string }
  if (reply.error !== undefined) throw new Error(reply.error)
  return reply.value
}

/** Takes the script's clock, and what is younger than the language that Apps Script surely has (about ES2020). */
const PREPARE = new Script(`{
  const now = clockNow
  Date.now = () => now()
  delete globalThis.clockNow
  for (const name of ['at', 'findLast', 'findLastIndex', 'toReversed', 'toSorted', 'toSpliced', 'with']) delete Array.prototype[name]
  for (const name of ['at', 'isWellFormed', 'replaceAll', 'toWellFormed']) delete String.prototype[name]
  for (const name of ['groupBy', 'hasOwn']) delete Object[name]
}`)

function run(name: string, asker: Asker, event: WebEvent | undefined): { output?: Output; missing?: true; error?: string } {
  const context = createContext({ ...createGlobals(ask, asker), clockNow: () => ask({ op: 'now' }), event })
  try {
    PREPARE.runInContext(context)
    script.runInContext(context)
    if (new Script(`typeof ${name}`).runInContext(context) !== 'function') return { missing: true }
    const output = new Script(`${name}(event)`).runInContext(context) as Output | undefined
    return output === undefined ? {} : { output: { text: output.text, type: output.type } }
  } catch (error) {
    return { error: String(error) }
  }
}

port.on('message', ({ name, asker, event }: { name: string; asker: Asker; event?: WebEvent }) => {
  port.postMessage({ kind: 'done', result: run(name, asker, event) })
})
