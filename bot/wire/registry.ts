import * as z from 'zod/mini'
import { ApiUrl, Capacity, Color, Concurrency, Count, DeviceId, InstanceId, Key, Label, PATHS_MAX, ServedPath, ServerId, TimeMs, VoiceId } from './fields.ts'

/** Contract 1: the registry. One fixed URL, the action in the query string, one JSON envelope for every answer. */

/** A presence counts for this long after it was last told, then is forgotten by itself. Never a counter. */
export const PRESENCE_TTL_MS = 90_000

/** Devices that one presence call may carry. */
export const PRESENCE_MAX = 10_000

export const ACTIONS = ['list', 'register', 'heartbeat', 'unregister', 'presence', 'setEnabled', 'rename'] as const

/** `POST ?action=register`. Registering again updates the row and never turns a disabled node on. */
export const RegisterRequest = z.object({
  serverId: ServerId,
  color: z._default(Color, ''),
  label: z._default(Label, ''),
  apiUrl: ApiUrl,
  capacity: z._default(Capacity, 10),
  concurrency: z._default(Concurrency, 1),
  instanceId: z.optional(InstanceId),
  voices: z.optional(z.array(VoiceId).check(z.maxLength(1000))),
  /** What it serves beside speech. */
  paths: z.optional(z.array(ServedPath).check(z.maxLength(PATHS_MAX))),
  key: z.optional(Key)
})
export type RegisterRequest = z.infer<typeof RegisterRequest>

/** `POST ?action=heartbeat`. `apiUrl: null` says "alive, without a tunnel"; what is absent is as before. */
export const HeartbeatRequest = z.object({
  serverId: ServerId,
  apiUrl: z.optional(z.nullable(ApiUrl)),
  capacity: z.optional(Capacity),
  concurrency: z.optional(Concurrency),
  instanceId: z.optional(InstanceId),
  key: z.optional(Key)
})
export type HeartbeatRequest = z.infer<typeof HeartbeatRequest>

export const UnregisterRequest = z.object({
  serverId: ServerId,
  instanceId: z.optional(InstanceId),
  key: z.optional(Key)
})
export type UnregisterRequest = z.infer<typeof UnregisterRequest>

export const SetEnabledRequest = z.object({ serverId: ServerId, enabled: z.boolean(), key: z.optional(Key) })
export type SetEnabledRequest = z.infer<typeof SetEnabledRequest>

/** `POST ?action=rename`. The name outlives the node's restarts; an empty one gives it back the name that it tells itself. */
export const RenameRequest = z.object({ serverId: ServerId, label: Label, key: z.optional(Key) })
export type RenameRequest = z.infer<typeof RenameRequest>

/** "This device uses this node now." */
export const Presence = z.object({ deviceId: DeviceId, serverId: ServerId })
export type Presence = z.infer<typeof Presence>

/** `POST ?action=presence` with a body: all members of a bot in one call; the answer brings the list too. */
export const PresenceRequest = z.object({
  devices: z.array(Presence).check(z.maxLength(PRESENCE_MAX)),
  key: z.optional(Key)
})
export type PresenceRequest = z.infer<typeof PresenceRequest>

/** One node as the registry lists it. `activeCount` is counted anew at every list; `assignedCount` stays for old readers. */
export const ServerRow = z.object({
  serverId: ServerId,
  color: Color,
  label: Label,
  /** `null`: alive, but its tunnel is down. */
  apiUrl: z.nullable(ApiUrl),
  enabled: z.boolean(),
  capacity: Capacity,
  concurrency: z._default(Concurrency, 1),
  activeCount: z.optional(Count),
  assignedCount: z.optional(Count),
  lastSeen: TimeMs,
  /** When this start of the node first registered; absent in the lists of older registries. */
  registeredAt: z.optional(TimeMs),
  /** What it serves beside speech; absent: nothing. */
  paths: z.optional(z.array(ServedPath).check(z.maxLength(PATHS_MAX)))
})
export type ServerRow = z.infer<typeof ServerRow>

export const ERROR_CODES = [
  'bad_request',
  'unknown_action',
  'unknown_server',
  'superseded',
  'unauthorized',
  'busy',
  'internal'
] as const
export type RegistryErrorCode = (typeof ERROR_CODES)[number]

/** What a registry has used, since a time by its clock, of what Google limits. */
export const Usage = z.object({
  since: TimeMs,
  /** Calls of all kinds and of everybody. */
  calls: Count,
  /** Of these, those that did not get the lock in time. */
  busy: Count,
  /** How long they ran in all, in milliseconds: by the time since `since`, how many ran at once. */
  ranMs: Count,
  /** How long the lock was held in all, in milliseconds: while one call holds it, no other writes. */
  heldMs: Count,
  /** Of the quota of operations on properties. */
  propertyReads: Count
})
export type Usage = z.infer<typeof Usage>

/** What the operator should know, such as a registry without a key: at most 300 characters; older readers pass it over. */
const Warning = z.optional(z.string().check(z.maxLength(300)))

/** `now` is the registry's own clock, in every answer. */
export const OkAnswer = z.object({ ok: z.literal(true), now: TimeMs, warning: Warning })

/** The answer to `list` (which alone tells the usage), and to a presence call with a body. Rows are checked one by one: a bad row must not hide the good ones. */
export const ListAnswer = z.object({
  ok: z.literal(true),
  now: TimeMs,
  servers: z.array(z.unknown()).check(z.maxLength(10_000)),
  warning: Warning,
  /** Told by a registry that has quotas. One that can't be read is none: the list counts. */
  usage: z.catch(z.optional(Usage), undefined)
})
export type ListAnswer = z.infer<typeof ListAnswer>

export const ErrorAnswer = z.object({
  ok: z.literal(false),
  now: z.optional(TimeMs),
  error: z.object({ code: z.string().check(z.maxLength(64)), message: z.string().check(z.maxLength(2000)) })
})
export type ErrorAnswer = z.infer<typeof ErrorAnswer>

/** Only a body that parses as this is an answer of the registry; HTML with status 200 is not. */
export const Answer = z.discriminatedUnion('ok', [z.looseObject({ ok: z.literal(true), now: TimeMs }), ErrorAnswer])
export type Answer = z.infer<typeof Answer>

/** The rows of a list that are good, and how many were not. */
export function parseServers(rows: readonly unknown[]): { servers: ServerRow[]; badRows: number } {
  const servers: ServerRow[] = []
  for (const row of rows) {
    const parsed = ServerRow.safeParse(row)
    if (parsed.success) servers.push(parsed.data)
  }
  return { servers, badRows: rows.length - servers.length }
}
