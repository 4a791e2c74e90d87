import {
  ACTIONS,
  HeartbeatRequest,
  PRESENCE_TTL_MS,
  Presence,
  PresenceRequest,
  RegisterRequest,
  SetEnabledRequest,
  UnregisterRequest
} from '../bot/wire/registry.ts'
import type { RegistryErrorCode } from '../bot/wire/registry.ts'

/**
 * The registry itself, pure: a state, an order and a time give an answer and what changes. Apps Script keeps the state in a
 * Google Sheet, the bot keeps it in SQLite; both run this file. Apps Script sees no headers and can set no status, so everything
 * stands in the query, the body and one JSON envelope.
 */

/** A longer body is refused unread. Counted in UTF-16 units: 10,000 devices with ids of usual length fit. */
export const BODY_MAX_CHARS = 1_000_000
/** Nodes that a registry holds; a new one beyond is refused as `busy`. */
export const SERVERS_MAX = 1_000
/** Devices that a registry holds at once; a new one beyond is ignored, and counted in `ignored`. */
export const DEVICES_MAX = 20_000
/** Instances that are remembered as superseded, for each node. */
const PAST_INSTANCES_MAX = 20

export interface Call {
  method: 'GET' | 'POST'
  query: Readonly<Record<string, string>>
  /** The body as text, as Apps Script gives it. */
  body?: string
}

export interface Server {
  serverId: string
  color: string
  label: string
  /** `null`: alive without a tunnel, or not registered now. */
  apiUrl: string | null
  enabled: boolean
  capacity: number
  concurrency: number
  /** Kept for old readers of the sheet; nothing is computed from it. */
  assignedCount: number
  /** By the registry's clock; 0 while the node is not registered (its row holds only the operator's wishes). */
  lastSeen: number
  /** `''` for a node of the plain form, which tells none. */
  instanceId: string
  voices: readonly string[]
  /** What the node itself said last. A label or capacity that differs is the operator's, and outlives a new registration. */
  told: { label: string; capacity: number }
  /** Instances that a later one replaced, newest first: they may never write again. */
  pastInstances: readonly string[]
}

export interface Device extends Presence {
  lastSeen: number
}

export interface State {
  servers: readonly Server[]
  devices: readonly Device[]
}

export interface Changes {
  put: readonly Server[]
  remove: readonly string[]
  /** All devices that remain, or `null`: as before. */
  devices: readonly Device[] | null
}

export type Reply =
  | { ok: true; now: number; servers?: object[]; ignored?: number }
  | { ok: false; now: number; error: { code: RegistryErrorCode; message: string } }

export interface Outcome {
  answer: Reply
  changes: Changes
}

export type Order =
  | { action: 'list' }
  | { action: 'register'; request: RegisterRequest }
  | { action: 'heartbeat'; request: HeartbeatRequest }
  | { action: 'unregister'; request: UnregisterRequest }
  | { action: 'setEnabled'; request: SetEnabledRequest }
  | { action: 'presence'; devices: readonly Presence[]; single: boolean }

export type Reading = { ok: true; order: Order } | { ok: false; code: RegistryErrorCode; message: string }

/**
 * What a call asks for, checked; or why it is refused. Never throws, whatever the call holds. The key stands in the body of a
 * write, and in the query of a call without a body.
 * @param key the shared secret; `''` means that everybody may call
 */
export function readCall(call: Call, key: string): Reading {
  const query = new Map(Object.entries(call.query))
  const action = ACTIONS.find((name) => name === query.get('action'))
  if (action === undefined) return refuse('unknown_action', `expected ?action= one of ${ACTIONS.join(', ')}`)
  if (call.method === 'GET' && action !== 'list') return refuse('bad_request', `${action} needs POST`)
  const text = call.method === 'GET' ? '' : (call.body ?? '')
  if (text.length > BODY_MAX_CHARS) return refuse('bad_request', `a body holds at most ${BODY_MAX_CHARS} characters`)

  const inQuery = text.trim() === '' || action === 'list'
  const body = inQuery ? undefined : parseJson(text)
  const given = inQuery ? query.get('key') : keyOf(body)
  if (key !== '' && !sameText(given ?? '', key)) return refuse('unauthorized', 'the key is missing or wrong')

  if (action === 'list') return { ok: true, order: { action } }
  if (action === 'presence' && inQuery) {
    const one = { deviceId: query.get('deviceId'), serverId: query.get('serverId') }
    return checked(Presence, one, (device) => ({ action, devices: [device], single: true }))
  }
  if (body === undefined) return refuse('bad_request', 'expected a body of JSON')
  switch (action) {
    case 'register':
      return checked(RegisterRequest, body, (request) => ({ action, request }))
    case 'heartbeat':
      return checked(HeartbeatRequest, body, (request) => ({ action, request }))
    case 'unregister':
      return checked(UnregisterRequest, body, (request) => ({ action, request }))
    case 'setEnabled':
      return checked(SetEnabledRequest, body, (request) => ({ action, request }))
    case 'presence':
      return checked(PresenceRequest, body, ({ devices }) => ({ action, devices, single: false }))
  }
}

/** The answer to an order and what it changes. Idempotent but for the stamps: a caller may send a write again. */
export function answer(state: State, order: Order, nowMs: number): Outcome {
  switch (order.action) {
    case 'list':
      return { answer: list(state.servers, countDevices(state.devices, nowMs), nowMs), changes: NONE }
    case 'register':
      return register(state, order.request, nowMs)
    case 'heartbeat':
      return heartbeat(find(state, order.request.serverId), order.request, nowMs)
    case 'unregister':
      return unregister(find(state, order.request.serverId), order.request, nowMs)
    case 'setEnabled': {
      const known = find(state, order.request.serverId)
      if (!known) return refused('unknown_server', 'no node has this id', nowMs)
      return done(nowMs, { put: [{ ...known, enabled: order.request.enabled }] })
    }
    case 'presence':
      return presence(state, order.devices, order.single, nowMs)
  }
}

function register(state: State, request: RegisterRequest, nowMs: number): Outcome {
  const { serverId, color, label, apiUrl, capacity, concurrency, instanceId = '', voices = [] } = request
  const known = find(state, serverId)
  if (!known && state.servers.length >= SERVERS_MAX) {
    return refused('busy', `the registry holds ${SERVERS_MAX} nodes: delete rows that are not used`, nowMs)
  }
  if (instanceId !== '' && known?.pastInstances.includes(instanceId)) return superseded(nowMs)
  const replaced = known && known.instanceId !== '' && known.instanceId !== instanceId ? [known.instanceId] : []
  const server: Server = {
    serverId,
    color,
    label: known && known.label !== known.told.label ? known.label : label,
    apiUrl,
    enabled: known?.enabled ?? true,
    capacity: known && known.capacity !== known.told.capacity ? known.capacity : capacity,
    concurrency,
    assignedCount: known?.assignedCount ?? 0,
    lastSeen: nowMs,
    instanceId,
    voices,
    told: { label, capacity },
    pastInstances: [...replaced, ...(known?.pastInstances ?? [])].slice(0, PAST_INSTANCES_MAX)
  }
  return done(nowMs, { put: [server] })
}

function heartbeat(known: Server | undefined, request: HeartbeatRequest, nowMs: number): Outcome {
  if (!known || known.lastSeen === 0) return refused('unknown_server', 'register first', nowMs)
  if (isOutdated(known, request)) return superseded(nowMs)
  const { apiUrl = known.apiUrl } = request
  return done(nowMs, { put: [{ ...known, apiUrl, lastSeen: nowMs }] })
}

/** A node that is already gone is gone: the goodbye may come twice. What the operator chose stays, so that a restart can't undo it. */
function unregister(known: Server | undefined, request: UnregisterRequest, nowMs: number): Outcome {
  if (!known || known.lastSeen === 0) return done(nowMs, {})
  if (isOutdated(known, request)) return superseded(nowMs)
  const chosen = !known.enabled || known.label !== known.told.label || known.capacity !== known.told.capacity
  if (!chosen) return done(nowMs, { remove: [known.serverId] })
  return done(nowMs, { put: [{ ...known, apiUrl: null, lastSeen: 0, instanceId: '', voices: [], pastInstances: [] }] })
}

/** Whether a later instance took the caller's place. One that tells no instance is known by its address alone. */
function isOutdated(known: Server, caller: { instanceId?: string | undefined; apiUrl?: string | null | undefined }): boolean {
  if (caller.instanceId === undefined) {
    return known.instanceId !== '' && caller.apiUrl !== undefined && caller.apiUrl !== known.apiUrl
  }
  if (known.pastInstances.includes(caller.instanceId)) return true
  return known.instanceId !== '' && known.instanceId !== caller.instanceId
}

/** Each device counts once, for the node that it told last; what is older than the TTL is swept on the way. */
function presence(state: State, told: readonly Presence[], single: boolean, nowMs: number): Outcome {
  const known = new Set(state.servers.map(({ serverId }) => serverId))
  const [first] = told
  if (single && first && !known.has(first.serverId)) return refused('unknown_server', 'no node has this id', nowMs)
  const devices = new Map(state.devices.filter((device) => isPresent(device, nowMs)).map((device) => [device.deviceId, device]))
  let ignored = 0
  for (const { deviceId, serverId } of told) {
    const welcome = known.has(serverId) && (devices.has(deviceId) || devices.size < DEVICES_MAX)
    if (welcome) devices.set(deviceId, { deviceId, serverId, lastSeen: nowMs })
    else ignored += 1
  }
  const remaining = [...devices.values()]
  const counts = countDevices(remaining, nowMs)
  const put = state.servers
    .filter(({ serverId, assignedCount }) => assignedCount !== (counts.get(serverId) ?? 0))
    .map((server) => ({ ...server, assignedCount: counts.get(server.serverId) ?? 0 }))
  const changes: Changes = { put, remove: [], devices: remaining }
  return { answer: single ? { ok: true, now: nowMs } : { ...list(state.servers, counts, nowMs), ignored }, changes }
}

function list(servers: readonly Server[], counts: ReadonlyMap<string, number>, nowMs: number) {
  const rows = servers.map(({ serverId, color, label, apiUrl, enabled, capacity, concurrency, lastSeen }) => {
    const activeCount = counts.get(serverId) ?? 0
    return { serverId, color, label, apiUrl, enabled, capacity, concurrency, activeCount, assignedCount: activeCount, lastSeen }
  })
  return { ok: true as const, now: nowMs, servers: rows }
}

function countDevices(devices: readonly Device[], nowMs: number): Map<string, number> {
  const counts = new Map<string, number>()
  for (const device of devices) {
    if (isPresent(device, nowMs)) counts.set(device.serverId, (counts.get(device.serverId) ?? 0) + 1)
  }
  return counts
}

/** A stamp from far ahead is a fault of a clock or a hand, and no more present than an old one. */
const isPresent = ({ lastSeen }: Device, nowMs: number) => Math.abs(nowMs - lastSeen) < PRESENCE_TTL_MS

const find = (state: State, serverId: string) => state.servers.find((server) => server.serverId === serverId)

const NONE: Changes = { put: [], remove: [], devices: null }

const done = (nowMs: number, changes: Partial<Changes>): Outcome => ({ answer: { ok: true, now: nowMs }, changes: { ...NONE, ...changes } })

/** The envelope of a refusal. */
export const refusal = (code: RegistryErrorCode, message: string, nowMs: number): Reply => ({ ok: false, now: nowMs, error: { code, message } })

const refused = (code: RegistryErrorCode, message: string, nowMs: number): Outcome => ({ answer: refusal(code, message, nowMs), changes: NONE })

const superseded = (nowMs: number) => refused('superseded', 'a later instance of this node has registered', nowMs)

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function keyOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('key' in body)) return undefined
  return typeof body.key === 'string' ? body.key : undefined
}

/** Takes as long for a key that is nearly right as for one that is not; Apps Script has no `timingSafeEqual`. */
function sameText(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length
  for (let index = 0; index < expected.length; index++) {
    difference |= expected.charCodeAt(index) ^ (given.charCodeAt(index) || 0)
  }
  return difference === 0
}

const refuse = (code: RegistryErrorCode, message: string): Reading => ({ ok: false, code, message })

interface Schema<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false; error: { issues: readonly Issue[] } }
}
interface Issue {
  path: readonly PropertyKey[]
  message: string
}

/** Names the first fault by its path, without the value: it may be a secret, and it ends in a log. */
function checked<T>(schema: Schema<T>, value: unknown, toOrder: (data: T) => Order): Reading {
  const parsed = schema.safeParse(value)
  if (parsed.success) return { ok: true, order: toOrder(parsed.data) }
  const [issue] = parsed.error.issues
  return refuse('bad_request', `${issue?.path.map(String).join('.') || 'body'}: ${issue?.message ?? 'not as expected'}`.slice(0, 300))
}
