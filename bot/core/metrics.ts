import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/**
 * What the bot counts, as Prometheus metrics on `GET /metrics`; `/status` reads the same numbers.
 * Labels are bounded: codes and node ids, never members, guilds or texts.
 */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  return {
    registry,
    utterances: new Counter({
      name: 'voxpool_utterances_total',
      help: 'Utterances by how they ended',
      labelNames: ['outcome'],
      registers
    }),
    nodeRequests: new Counter({
      name: 'voxpool_node_requests_total',
      help: 'Requests to nodes by result: ok or the fault code',
      labelNames: ['node', 'result'],
      registers
    }),
    nodeSeconds: new Histogram({
      name: 'voxpool_node_request_seconds',
      help: 'Time from request to the last byte of good audio',
      labelNames: ['node'],
      buckets: [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 8, 13, 20],
      registers
    }),
    failovers: new Counter({ name: 'voxpool_failovers_total', help: 'Segments that moved to another node', registers }),
    hedges: new Counter({ name: 'voxpool_hedges_total', help: 'Second requests to another node, because the first was silent', registers }),
    registryCalls: new Counter({
      name: 'voxpool_registry_calls_total',
      help: 'Registry calls by result: ok or the fault code',
      labelNames: ['result'],
      registers
    }),
    registryBadRows: new Counter({
      name: 'voxpool_registry_bad_rows_total',
      help: 'Rows of the registry that could not be read',
      registers
    }),
    queued: new Gauge({ name: 'voxpool_queued_utterances', help: 'Utterances that wait to be heard', registers }),
    sessions: new Gauge({ name: 'voxpool_sessions', help: 'Guilds with a voice session', registers }),
    faults: new Counter({
      name: 'voxpool_faults_total',
      help: 'Faults that reached an edge, by code',
      labelNames: ['code'],
      registers
    })
  }
}

export type Metrics = ReturnType<typeof createMetrics>
