import { Counter, Gauge, Registry, Summary } from 'prom-client'

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
    nodeSeconds: new Summary({
      name: 'voxpool_node_request_seconds',
      help: 'Time from request to the last byte of good audio, over the last ten minutes',
      labelNames: ['node'],
      percentiles: [0.5, 0.95, 0.99],
      maxAgeSeconds: 600,
      ageBuckets: 5,
      registers
    }),
    failovers: new Counter({ name: 'voxpool_failovers_total', help: 'Segments that moved to another node', registers }),
    hedges: new Counter({ name: 'voxpool_hedges_total', help: 'Second requests to another node, because the first was silent', registers }),
    cache: new Counter({
      name: 'voxpool_cache_total',
      help: 'Segments by whether their audio was there (hit), being made for somebody else (shared), or not (miss)',
      labelNames: ['result'],
      registers
    }),
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
    dropped: new Counter({ name: 'voxpool_dropped_utterances_total', help: 'Utterances that were not said, by the reason', labelNames: ['reason'], registers }),
    readMessages: new Counter({
      name: 'voxpool_read_messages_total',
      help: 'Messages in servers by what became of them: heard, or why not',
      labelNames: ['result'],
      registers
    }),
    unheard: new Counter({ name: 'voxpool_unheard_packets_total', help: 'Packets played while the encryption group was not set up', registers }),
    rejoins: new Counter({ name: 'voxpool_voice_rejoins_total', help: 'Voice connections that were made anew, by the trouble', labelNames: ['why'], registers }),
    sessionsOver: new Counter({ name: 'voxpool_sessions_over_total', help: 'Voice sessions that ended by themselves, by the reason', labelNames: ['reason'], registers }),
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
