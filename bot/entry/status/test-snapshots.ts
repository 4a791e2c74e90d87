import type { HistoryPoint, NodeView, Snapshot } from './snapshot.ts'

/** For tests of the page: pools in every state, as the bot would show them. */
const STEP_MS = 30_000
/** All are of one run of the bot. */
const STARTED_AT = Date.now() - 9_000_000
const LABELS = ['Aoi', 'Birch', 'Cedar', 'Dawn', 'Elm', 'Fuji', 'Grove', 'Hikari', 'Iris', 'Juniper']
const COLORS = ['#e03131', '#1971c2', '#ffffff', '#f08c00', '#000000', '#9c36b5', '#2f9e44', '#ffd43b']

export function nodeView(changes: Partial<NodeView> = {}): NodeView {
  const node: NodeView = {
    id: 'n1', label: 'Aoi', color: '#1971c2', engine: 'hibari', voices: 12, state: 'ready', stateSince: Date.now() - 7_200_000, members: 4, capacity: 10, inFlight: 1, concurrency: 2,
    p50Ms: 420, p95Ms: 1_300, ageMs: 12_000, faults: [], ...changes
  }
  return ['ready', 'trial', 'suspect', 'stale'].includes(node.state) ? { speaks: true, ...node } : node
}

/** A pool where all is well, with an hour behind it, in which the bot was off for some minutes. */
export function snapshotOf(changes: Partial<Snapshot> = {}): Snapshot {
  const now = Date.now()
  return {
    version: '0.1.0', now, startedAt: STARTED_AT, state: 'ok', registry: { ageMs: 4_000, isStale: false }, reading: 3, speaking: 4, waiting: 0, inFlight: 2,
    nodes: [nodeView(), nodeView({ id: 'n2', label: 'Birch', color: '#f08c00', engine: 'kokoro', voices: 54, members: 7, p50Ms: 180, p95Ms: 640, ageMs: 3_000 }),
      nodeView({ id: 'n3', label: 'Cedar', color: '#9c36b5', engine: 'openjtalk', voices: 1, members: 0, inFlight: 0, p50Ms: null, p95Ms: null, ageMs: 21_000 })],
    paths: [
      { name: '/v1/audio/speech', inFlight: 1, requests: 1_204, failed: 3, p50Ms: 410, p95Ms: 1_450, p99Ms: 2_300, queueP95Ms: 60 },
      { name: '/v1/chat/completions', inFlight: 0, requests: 88, failed: 0, p50Ms: 1_900, p95Ms: 6_200, p99Ms: 11_000, queueP95Ms: null }
    ],
    history: { stepMs: STEP_MS, points: hourUntil(now) },
    events: [
      { id: 6, at: now - 240_000, kind: 'node_ready', node: { label: 'Birch', color: '#f08c00' } },
      { id: 5, at: now - 290_000, kind: 'node_resting', node: { label: 'Birch', color: '#f08c00' }, code: 'NODE_RESET' },
      { id: 4, at: now - 1_900_000, kind: 'registry_back' },
      { id: 3, at: now - 2_050_000, kind: 'registry_lost' },
      { id: 2, at: now - 8_990_000, kind: 'node_joined', node: { label: 'Aoi', color: '#1971c2' } },
      { id: 1, at: now - 9_000_000, kind: 'started' }
    ],
    ...changes
  }
}

function hourUntil(now: number): HistoryPoint[] {
  const startMs = now - 120 * STEP_MS
  return Array.from({ length: 120 }, (_, step) => {
    const requests = Math.max(0, Math.round(14 + 11 * Math.sin(step / 9) + 6 * Math.sin(step / 2.3)))
    return { at: startMs + step * STEP_MS, requests, failed: step % 17 === 0 ? Math.min(requests, 3) : 0, waiting: step > 60 && step < 75 ? 75 - step : step % 11 === 0 ? 1 : 0, p95Ms: requests === 0 ? null : 900 + (step % 7) * 120 }
  }).filter((_, step) => step < 22 || step > 33)
}

const RESTING = nodeView({
  id: 'n2', label: 'Birch', color: '#f08c00', engine: 'kokoro', voices: 54, state: 'resting', stateSince: Date.now() - 95_000, members: 0, inFlight: 0, ageMs: 140_000, isStale: true,
  faults: [{ code: 'NODE_RESET', at: Date.now() - 95_000 }, { code: 'NODE_SILENT', at: Date.now() - 200_000 }, { code: 'NODE_STATUS', at: Date.now() - 3_900_000 }]
})

export const degraded = () => snapshotOf({
  state: 'degraded', waiting: 5, inFlight: 7,
  nodes: [nodeView({ members: 10, inFlight: 3, isAlone: true }), RESTING, nodeView({ id: 'n3', label: 'Cedar', color: '#9c36b5', state: 'joining', engine: null, voices: null, members: null, p50Ms: null, p95Ms: null, ageMs: 2_000, inFlight: 0 }),
    nodeView({ id: 'n4', label: 'Dawn', color: '#ffffff', state: 'draining', members: 2 }), nodeView({ id: 'n5', label: 'Elm', color: '#000000', state: 'disabled', members: 0, inFlight: 0, ageMs: 8_000 })]
})

export const down = () => snapshotOf({
  state: 'down', waiting: 9, reading: 3, inFlight: 9,
  nodes: [RESTING, nodeView({ id: 'n3', label: 'Cedar', color: '#9c36b5', state: 'gone', members: null, ageMs: null, p50Ms: null, p95Ms: null, inFlight: 0 })],
  events: [{ id: 7, at: Date.now() - 60_000, kind: 'pool_down' }, ...snapshotOf().events]
})

export const empty = () => snapshotOf({ state: 'empty', nodes: [], paths: [], reading: 0, speaking: 0, inFlight: 0, history: { stepMs: STEP_MS, points: [] }, events: [{ id: 1, at: Date.now() - 5_000, kind: 'started' }] })

export const unlisted = () => ({ ...empty(), registry: { ageMs: null, isStale: true } })

/** Without a node, and whether one has joined since can't be known. */
export const staleEmpty = () => ({ ...empty(), registry: { ageMs: 3_600_000, isStale: true } })

export const stale = () => snapshotOf({ registry: { ageMs: 1_260_000, isStale: true }, events: [{ id: 7, at: Date.now() - 1_170_000, kind: 'registry_lost' }, ...snapshotOf().events] })

export function many(): Snapshot {
  const states = ['ready', 'ready', 'ready', 'ready', 'suspect', 'ready', 'ready', 'resting', 'ready', 'disabled'] as const
  const nodes = Array.from({ length: 100 }, (_, at) => nodeView({
    id: `m${at}`, label: `${LABELS[at % 10] ?? ''} ${String(at + 1).padStart(3, '0')}`, color: COLORS[at % 8] ?? '#000000', engine: at % 3 === 0 ? 'kokoro' : 'hibari', state: states[at % 10] ?? 'ready', members: (at * 7) % 11, ageMs: 1_000 * (at % 30)
  }))
  return snapshotOf({ state: 'degraded', nodes, reading: 41, speaking: 58, waiting: 12, inFlight: 64 })
}

export const MARKUP = '<img src=x onerror="document.title=1"><script>document.title=2</script>'

/** What somebody may write who means harm, or loves long names. */
export const hostile = () => snapshotOf({
  state: 'degraded',
  nodes: [
    nodeView({ label: MARKUP, engine: '"><svg onload=document.title=3>', color: 'url(https://evil.example/x)', faults: [{ code: '<b>bold</b>', at: Date.now() - 1_000 }], isAlone: true }),
    nodeView({ id: 'n2', label: 'x'.repeat(400), engine: 'y'.repeat(300) }),
    nodeView({ id: '../../x?y#z', label: '\u202ereversed constructor', engine: '__proto__', state: 'resting' })
  ],
  paths: [{ name: MARKUP, inFlight: 0, requests: 1, failed: 0, p50Ms: null, p95Ms: null, p99Ms: null, queueP95Ms: null }],
  events: [{ id: 1, at: Date.now(), kind: 'node_resting', node: { label: MARKUP, color: 'red;background:url(//evil.example)' }, code: 'constructor' }]
})
