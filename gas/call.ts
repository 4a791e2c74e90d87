import { ServerId } from '../bot/wire/fields.ts'
import {
  ACTIONS,
  HeartbeatRequest,
  Presence,
  PresenceRequest,
  RegisterRequest,
  RenameRequest,
  SetEnabledRequest,
  UnregisterRequest
} from '../bot/wire/registry.ts'
import type { RegistryErrorCode } from '../bot/wire/registry.ts'
import type { Order } from './registry.ts'

/** A longer body is refused unread. Counted in UTF-16 units: 10,000 devices with ids of usual length fit. */
export const BODY_MAX_CHARS = 1_000_000

/** One call as Apps Script gives it: it sees no headers, so everything stands in the query and the body. */
export interface Call {
  method: 'GET' | 'POST'
  query: Readonly<Record<string, string>>
  /** The body as text. */
  body?: string
}

export type Reading =
  | { ok: true; order: Order }
  /** `serverId` is whom a call with the right key was for, as far as it can be told; else `''`. */
  | { ok: false; code: RegistryErrorCode; message: string; serverId: string }

export interface ReadOptions {
  /** The shared secret; `''` means that everybody may call. */
  key: string
  /** Whether a node may live at `http://127.0.0.1`: only where registry and node can be one machine. */
  allowLoopback: boolean
}

/**
 * What a call asks for, checked; or why it is refused. Never throws, whatever the call holds. The key stands in the body of a
 * write, and in the query of a call without a body.
 */
export function readCall(call: Call, { key, allowLoopback }: ReadOptions): Reading {
  const query = new Map(Object.entries(call.query))
  const action = ACTIONS.find((name) => name === query.get('action'))
  if (action === undefined) return refuse('unknown_action', `expected ?action= one of ${ACTIONS.join(', ')}`)
  if (call.method === 'GET' && action !== 'list') return refuse('bad_request', `${action} needs POST`)
  const text = call.method === 'GET' ? '' : (call.body ?? '')
  if (text.length > BODY_MAX_CHARS) return refuse('bad_request', `a body holds at most ${BODY_MAX_CHARS} characters`)

  const inQuery = text.trim() === '' || action === 'list'
  const body = inQuery ? undefined : parseJson(text)
  const given = inQuery ? query.get('key') : textIn(body, 'key')
  if (key !== '' && !sameText(given ?? '', key)) return refuse('unauthorized', 'the key is missing or wrong')

  if (action === 'list') return { ok: true, order: { action } }
  if (action === 'presence' && inQuery) {
    const one = { deviceId: query.get('deviceId'), serverId: query.get('serverId') }
    return checked(Presence, one, (device) => ({ action, devices: [device], single: true }))
  }
  if (body === undefined) return refuse('bad_request', 'expected a body of JSON')
  const reading = readBody(action, body)
  if (!reading.ok) return reading
  return allowLoopback || !isPlainHttp(reading.order) ? reading : refuse('bad_request', 'apiUrl: expected an https address', textIn(body, 'serverId'))
}

function readBody(action: Exclude<Order['action'], 'list'>, body: unknown): Reading {
  switch (action) {
    case 'register':
      return checked(RegisterRequest, body, (request) => ({ action, request }))
    case 'heartbeat':
      return checked(HeartbeatRequest, body, (request) => ({ action, request }))
    case 'unregister':
      return checked(UnregisterRequest, body, (request) => ({ action, request }))
    case 'setEnabled':
      return checked(SetEnabledRequest, body, (request) => ({ action, request }))
    case 'rename':
      return checked(RenameRequest, body, (request) => ({ action, request }))
    case 'presence':
      return checked(PresenceRequest, body, ({ devices }) => ({ action, devices, single: false }))
  }
}

const isPlainHttp = (order: Order) =>
  (order.action === 'register' || order.action === 'heartbeat') && (order.request.apiUrl?.startsWith('http:') ?? false)

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `Object.hasOwn` is younger than what Apps Script surely has. */
const hasOwn = (object: object, name: string): boolean => Object.prototype.hasOwnProperty.call(object, name)

function textIn(body: unknown, name: 'key' | 'serverId'): string | undefined {
  if (typeof body !== 'object' || body === null || !hasOwn(body, name)) return undefined
  const value = (body as Partial<Record<string, unknown>>)[name]
  return typeof value === 'string' ? value : undefined
}

/** Takes as long for a key that is nearly right as for one that is not; Apps Script has no `timingSafeEqual`. */
function sameText(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length
  for (let index = 0; index < expected.length; index++) {
    difference |= expected.charCodeAt(index) ^ (given.charCodeAt(index) || 0)
  }
  return difference === 0
}

function refuse(code: RegistryErrorCode, message: string, serverId?: string): Reading {
  const known = ServerId.safeParse(serverId)
  return { ok: false, code, message, serverId: known.success ? known.data : '' }
}

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
  const message = `${issue?.path.map(String).join('.') || 'body'}: ${issue?.message ?? 'not as expected'}`.slice(0, 300)
  return refuse('bad_request', message, textIn(value, 'serverId'))
}
