import { MessageChannel, Worker } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import type { WebEvent } from '../apps-script.ts'
import type { Asker, Request, Services } from './services.ts'

/** Executions that Apps Script lets one owner run at once. */
const EXECUTIONS_MAX = 30

type Result =
  | { output?: { text: string; type: string }; missing?: true; error?: string }
  | { tooMany: true }

export interface Executions {
  /** Runs one function of the script, in a thread of its own while it lasts. Rejects only when the emulation is closed meanwhile. */
  run(name: string, asker: Asker, event?: WebEvent): Promise<Result>
  close(): Promise<void>
}

interface Thread {
  worker: Worker
  port: MessagePort
  current?: { execution: number; resolve: (result: Result) => void; reject: (error: Error) => void }
}

/** Threads are made when needed and used again; each execution starts from nothing all the same. */
export function createExecutions(code: string, services: Services): Executions {
  const threads = new Set<Thread>()
  const idle: Thread[] = []
  let executions = 0

  function makeThread(): Thread {
    const { port1, port2 } = new MessageChannel()
    const wake = new Int32Array(new SharedArrayBuffer(4))
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: { code, port: port2, wake },
      transferList: [port2]
    })
    const thread: Thread = { worker, port: port1 }
    const answer = (reply: { value?: unknown; error?: string }) => {
      port1.postMessage(reply)
      Atomics.store(wake, 0, 1)
      Atomics.notify(wake, 0)
    }
    port1.on('message', (message: { kind: 'ask'; request: Request } | { kind: 'done'; result: Result }) => {
      const { current } = thread
      if (!current) return
      if (message.kind === 'ask') {
        services.serve(current.execution, message.request).then(
          (value) => answer({ value }),
          (error: unknown) => answer({ error: error instanceof Error ? error.message : String(error) })
        )
        return
      }
      delete thread.current
      services.end(current.execution)
      idle.push(thread)
      current.resolve(message.result)
    })
    worker.on('error', (error: Error) => thread.current?.reject(error))
    worker.on('exit', () => {
      threads.delete(thread)
      thread.current?.reject(new Error('the emulation was closed'))
    })
    threads.add(thread)
    return thread
  }

  return {
    async run(name, asker, event) {
      if (idle.length === 0 && threads.size >= EXECUTIONS_MAX) return { tooMany: true }
      const thread = idle.pop() ?? makeThread()
      return new Promise((resolve, reject) => {
        thread.current = { execution: ++executions, resolve, reject }
        thread.port.postMessage({ name, asker, event })
      })
    },
    async close() {
      await Promise.all([...threads].map(({ worker }) => worker.terminate()))
    }
  }
}
