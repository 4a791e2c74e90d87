import { PRESENCE_TTL_MS } from '../bot/wire/registry.ts'
import type {
  HeartbeatRequest,
  Presence,
  RegisterRequest,
  RegistryErrorCode,
  RenameRequest,
  SetEnabledRequest,
  UnregisterRequest,
  Usage
} from '../bot/wire/registry.ts'

/**
 * The registry itself, pure: a state, an order and a time give an answer and what changes. Apps Script keeps the state in a
 * Google Sheet, the bot keeps it in SQLite; both run this file.
 */

/** Nodes that a registry holds; a new one beyond is refused as `busy`. */
export const SERVERS_MAX = 1_000
/** Devices that a registry holds at once; a new one beyond is ignored, and counted in `ignored`. */
export const DEVICES_MAX = 20_000
/** Instances that are remembered as superseded, for each node. */
const PAST_INSTANCES_MAX = 20
/** A node that was not heard for so long is forgotten. */
export const DEAD_MS = 24 * 60 * 60 * 1000
/** Rows that one call sweeps: each costs Apps Script a deletion, and a call must end soon. */
export const SWEEP_MAX = 20

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
  /** When this start of the node first registered; 0 when that is not known. */
  registeredAt: number
  /** `''` for a node of the plain form, which tells none. */
  instanceId: string
  voices: readonly string[]
  /** What it serves beside speech. */
  paths: readonly string[]
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

/** Something that the operator should be able to look up later. */
export interface Event {
  what: 'registered' | 'took over' | 'moved' | 'left' | 'switched' | 'renamed' | 'swept' | 'refused' | 'warning'
  /** `''`: it is about no node, or about none that is known. */
  serverId: string
  detail: string
}

export interface Changes {
  put: readonly Server[]
  remove: readonly string[]
  /** All devices that remain, or `null`: as before. */
  devices: readonly Device[] | null
  log: readonly Event[]
}

export type Reply =
  | { ok: true; now: number; servers?: object[]; ignored?: number; warning?: string; usage?: Usage }
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
  | { action: 'rename'; request: RenameRequest }
  | { action: 'presence'; devices: readonly Presence[]; single: boolean }

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
    case 'setEnabled':
      return setEnabled(state, [order.request.serverId], order.request.enabled, nowMs)
    case 'rename':
      return rename(find(state, order.request.serverId), order.request, nowMs)
    case 'presence':
      return presence(state, order.devices, order.single, nowMs)
  }
}

function register(state: State, request: RegisterRequest, nowMs: number): Outcome {
  const { serverId, color, label, apiUrl, capacity, concurrency, instanceId = '', voices = [], paths = [] } = request
  const known = find(state, serverId)
  const swept = sweep(state, nowMs, { except: serverId })
  if (!known && state.servers.length - swept.remove.length >= SERVERS_MAX) {
    return refused(serverId, 'busy', `the registry holds ${SERVERS_MAX} nodes: delete rows that are not used`, nowMs)
  }
  if (instanceId !== '' && known?.pastInstances.includes(instanceId)) return superseded(serverId, nowMs)
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
    registeredAt: known && isSameStart(known, instanceId, apiUrl) ? known.registeredAt : nowMs,
    instanceId,
    voices,
    paths,
    told: { label, capacity },
    pastInstances: [...replaced, ...(known?.pastInstances ?? [])].slice(0, PAST_INSTANCES_MAX)
  }
  const event: Event = { what: replaced.length > 0 ? 'took over' : 'registered', serverId, detail: apiUrl + (server.enabled ? '' : ' (switched off)') }
  return done(nowMs, { put: [...swept.put, server], remove: swept.remove, log: [event, ...swept.log] })
}

/** A node registers again when its tunnel has moved, too: that is no new start. One that tells no instance is known by its address. */
function isSameStart(known: Server, instanceId: string, apiUrl: string): boolean {
  return known.lastSeen !== 0 && known.registeredAt !== 0 && known.instanceId === instanceId && (instanceId !== '' || known.apiUrl === apiUrl)
}

function heartbeat(known: Server | undefined, request: HeartbeatRequest, nowMs: number): Outcome {
  const { serverId } = request
  if (!known || known.lastSeen === 0) return refused(serverId, 'unknown_server', 'register first', nowMs)
  if (isOutdated(known, request)) return superseded(serverId, nowMs)
  const { apiUrl = known.apiUrl, capacity = known.told.capacity, concurrency = known.concurrency } = request
  const told = { ...known.told, capacity }
  const put = { ...known, apiUrl, concurrency, told, capacity: known.capacity === known.told.capacity ? capacity : known.capacity, lastSeen: nowMs }
  const log: Event[] = apiUrl === known.apiUrl ? [] : [{ what: 'moved', serverId, detail: apiUrl ?? 'no tunnel at the moment' }]
  return done(nowMs, { put: [put], log })
}

/** A node that is already gone is gone: the goodbye may come twice. */
function unregister(known: Server | undefined, request: UnregisterRequest, nowMs: number): Outcome {
  if (!known || known.lastSeen === 0) return done(nowMs, {})
  if (isOutdated(known, request)) return superseded(known.serverId, nowMs)
  return done(nowMs, { ...forget([known]), log: [{ what: 'left', serverId: known.serverId, detail: '' }] })
}

/** Whether a later instance took the caller's place. One that tells no instance is known by its address alone. */
function isOutdated(known: Server, caller: { instanceId?: string | undefined; apiUrl?: string | null | undefined }): boolean {
  if (caller.instanceId === undefined) {
    return known.instanceId !== '' && caller.apiUrl !== undefined && caller.apiUrl !== known.apiUrl
  }
  if (known.pastInstances.includes(caller.instanceId)) return true
  return known.instanceId !== '' && known.instanceId !== caller.instanceId
}

/** Turns nodes on or off; those that are not there are passed over, but for one alone. */
export function setEnabled(state: State, serverIds: readonly string[], enabled: boolean, nowMs: number): Outcome {
  const put = state.servers.filter(({ serverId }) => serverIds.includes(serverId)).map((server) => ({ ...server, enabled }))
  if (put.length === 0) return refused(serverIds[0] ?? '', 'unknown_server', 'no node has this id', nowMs)
  return done(nowMs, { put, log: put.map(({ serverId }) => ({ what: 'switched', serverId, detail: enabled ? 'on' : 'off' })) })
}

/** The name is the operator's from now on, and outlives a new registration as one typed into the sheet does. */
function rename(known: Server | undefined, { serverId, label }: RenameRequest, nowMs: number): Outcome {
  if (!known) return refused(serverId, 'unknown_server', 'no node has this id', nowMs)
  const put = { ...known, label: label.trim() === '' ? known.told.label : label }
  return done(nowMs, { put: [put], log: [{ what: 'renamed', serverId, detail: put.label }] })
}

/** What the operator chose for a node stays when it goes, so that its restart can't undo it; the rest of its row goes. */
function forget(servers: readonly Server[]): Pick<Changes, 'put' | 'remove'> {
  const isChosen = ({ enabled, label, capacity, told }: Server) => !enabled || label !== told.label || capacity !== told.capacity
  return {
    put: servers.filter(isChosen).map((known) => ({ ...known, apiUrl: null, assignedCount: 0, lastSeen: 0, registeredAt: 0, instanceId: '', voices: [], paths: [], pastInstances: [] })),
    remove: servers.filter((known) => !isChosen(known)).map(({ serverId }) => serverId)
  }
}

/** Forgets nodes that were not heard for a day, the longest gone first: at most `max` at once, and never `except`. */
export function sweep(state: State, nowMs: number, { max = SWEEP_MAX, except = '' } = {}): Omit<Changes, 'devices'> {
  const dead = state.servers
    .filter(({ serverId, lastSeen }) => lastSeen !== 0 && nowMs - lastSeen > DEAD_MS && serverId !== except)
    .sort((a, b) => a.lastSeen - b.lastSeen)
    .slice(0, max)
  const names = dead.map(({ serverId }) => serverId).join(', ')
  const log: Event[] = dead.length === 0 ? [] : [{ what: 'swept', serverId: '', detail: `not heard for a day: ${names}`.slice(0, 500) }]
  return { ...forget(dead), log }
}

/** Each device counts once, for the node that it told last; what is older than the TTL is swept on the way. */
function presence(state: State, told: readonly Presence[], single: boolean, nowMs: number): Outcome {
  const swept = single ? NONE : sweep(state, nowMs)
  const gone = new Set(swept.remove)
  const changed = new Map(swept.put.map((server) => [server.serverId, server]))
  const servers = state.servers.filter(({ serverId }) => !gone.has(serverId)).map((server) => changed.get(server.serverId) ?? server)
  const known = new Set(servers.map(({ serverId }) => serverId))
  const [first] = told
  if (single && first && !known.has(first.serverId)) {
    return { answer: refusal('unknown_server', 'no node has this id', nowMs), changes: NONE }
  }
  const devices = new Map(state.devices.filter((device) => isPresent(device, nowMs)).map((device) => [device.deviceId, device]))
  let ignored = 0
  for (const { deviceId, serverId } of told) {
    const welcome = known.has(serverId) && (devices.has(deviceId) || devices.size < DEVICES_MAX)
    if (welcome) devices.set(deviceId, { deviceId, serverId, lastSeen: nowMs })
    else ignored += 1
  }
  const remaining = [...devices.values()]
  const counts = countDevices(remaining, nowMs)
  for (const server of servers) {
    const assignedCount = counts.get(server.serverId) ?? 0
    if (server.assignedCount !== assignedCount) changed.set(server.serverId, { ...server, assignedCount })
  }
  const changes: Changes = { put: [...changed.values()], remove: swept.remove, devices: remaining, log: swept.log }
  return { answer: single ? { ok: true, now: nowMs } : { ...list(servers, counts, nowMs), ignored }, changes }
}

function list(servers: readonly Server[], counts: ReadonlyMap<string, number>, nowMs: number) {
  const rows = servers.map(({ serverId, color, label, apiUrl, enabled, capacity, concurrency, lastSeen, registeredAt, paths }) => {
    const activeCount = counts.get(serverId) ?? 0
    const row = { serverId, color, label, apiUrl, enabled, capacity, concurrency, activeCount, assignedCount: activeCount, lastSeen }
    return { ...row, ...(registeredAt > 0 && { registeredAt }), ...(paths.length > 0 && { paths }) }
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

const NONE: Changes = { put: [], remove: [], devices: null, log: [] }

const done = (nowMs: number, changes: Partial<Changes>): Outcome => ({ answer: { ok: true, now: nowMs }, changes: { ...NONE, ...changes } })

/** The envelope of a refusal. */
export const refusal = (code: RegistryErrorCode, message: string, nowMs: number): Reply => ({ ok: false, now: nowMs, error: { code, message } })

const refused = (serverId: string, code: RegistryErrorCode, message: string, nowMs: number): Outcome => ({
  answer: refusal(code, message, nowMs),
  changes: { ...NONE, log: [{ what: 'refused', serverId, detail: `${code}: ${message}` }] }
})

const superseded = (serverId: string, nowMs: number) => refused(serverId, 'superseded', 'a later instance of this node has registered', nowMs)
