import { parentPort, workerData } from 'node:worker_threads'
import { startFaultNode } from '../sandbox/fault-node.ts'
import type { Fault, Received } from '../sandbox/fault-node.ts'

/** A fault node on a thread of its own, so that it takes no time from the bot's. */
const { serverId, latencyMs } = workerData as { serverId: string; latencyMs: number }
const node = await startFaultNode({ serverId, latencyMs })
parentPort?.on('message', (message: { ask: 'received' } | { fault: Fault }) => {
  if ('fault' in message) node.fault = message.fault
  else parentPort?.postMessage(node.received.splice(0) satisfies Received[])
})
parentPort?.postMessage(node.url)
