import { ApiUrl, Color, Concurrency, DeviceId, InstanceId, Label, PATHS_MAX, ServedPath, ServerId, VoiceId } from '../bot/wire/fields.ts'
import type { Cell } from './apps-script.ts'
import type { Device, Server } from './registry.ts'

/** The columns by their header. The first eight are what older readers know; an operator may move any of them. */
export const SERVER_COLUMNS = [
  'serverId', 'color', 'label', 'apiUrl', 'enabled', 'capacity', 'assignedCount', 'lastSeen',
  'lastSeenMs', 'instanceId', 'concurrency', 'voices', 'nodeLabel', 'nodeCapacity', 'pastInstances', 'registeredMs', 'paths'
] as const
/** What only the registry writes: such a cell may be written over unchanged where that saves a range. */
export const OWN_COLUMNS: ReadonlySet<string> = new Set(SERVER_COLUMNS.slice(SERVER_COLUMNS.indexOf('assignedCount')))
export const DEVICE_COLUMNS = ['deviceId', 'serverId', 'lastSeen'] as const

/** Cells by the name of their column. */
export type Cells = Readonly<Record<string, Cell>>

/** Of a moment that people read. */
export const TIME_FORMAT = 'yyyy-mm-dd hh:mm:ss'

const FORMATS = new Map<string, string>([
  ['enabled', 'General'], ['lastSeen', TIME_FORMAT],
  ['capacity', '0'], ['assignedCount', '0'], ['lastSeenMs', '0'], ['concurrency', '0'], ['nodeCapacity', '0'], ['registeredMs', '0']
])

/** The number format of a column of nodes, set before a text is written: without `@`, Sheets turns `007`, `1e5` and 18 digits into other numbers. */
export const formatOf = (column: string) => FORMATS.get(column) ?? '@'

/** A cell of Sheets holds 50,000 characters; voices beyond this are not shown. */
const VOICES_MAX_CHARS = 10_000

/** A word joiner: prints as nothing, and no field of the contract may hold it. */
const GUARD = '\u2060'

/**
 * A text as it is written. Sheets, and whatever the sheet is exported to, runs a text that begins with `=`, `+`, `-` or `@`, and
 * swallows a leading apostrophe; a guard that is no such character stays text everywhere and is taken off when read.
 */
export const guardText = (text: string) => (/^\s*[=+\-@'＝＋－＠]/u.test(text) || text.startsWith(GUARD) ? GUARD + text : text)

/** The text of a cell, whatever somebody typed there. */
export function textOf(cell: Cell | undefined): string {
  if (cell === undefined) return ''
  const text = typeof cell === 'boolean' ? String(cell).toUpperCase() : String(cell)
  return text.startsWith(GUARD) ? text.slice(GUARD.length) : text
}

const ON = ['', 'true', 'yes', 'y', 'on', '1', 'ok', 'x', '✓', '✔', 'enabled', 'はい', '有効', '예', '네', '켜짐']

/** A ticked box, an empty cell or a word for yes. Any other word (`no`, `off`, `being repaired`) turns the node off. */
const isOn = (cell: Cell | undefined) => ON.includes(textOf(cell).trim().toLowerCase())

const good = <T>(schema: { safeParse(value: unknown): { success: boolean; data?: T } }, value: unknown, otherwise: T): T => {
  const parsed = schema.safeParse(value)
  return parsed.success && parsed.data !== undefined ? parsed.data : otherwise
}

/** A whole number in `low` to `high` as somebody may have typed it, or `undefined` for no number at all. */
function numberOf(cell: Cell | undefined, low: number, high: number): number | undefined {
  const text = textOf(cell).trim()
  const value = typeof cell === 'object' ? cell.getTime() : Number(text)
  return text === '' || Number.isNaN(value) ? undefined : Math.min(high, Math.max(low, Math.round(value)))
}

/** For a row that the operator wrote without one. */
const CAPACITY_DEFAULT = 10

const words = (cell: Cell | undefined) => textOf(cell).split(/\s+/).filter((word) => word !== '')

const capacityOf = (cell: Cell | undefined) => numberOf(cell, 1, 100_000)

/** Up to what a `Date` holds; 0 for no time at all. */
const timeOf = (cell: Cell | undefined) => numberOf(cell, 0, 8.64e15) ?? 0

/** A label of the contract, whatever was typed: what it may not hold becomes a space, and what is too long is cut. */
const labelOf = (cell: Cell | undefined) =>
  good(Label, Array.from(textOf(cell), (char) => good(Label, char, ' ')).slice(0, 80).join(''), '')

const urlOf = (cell: Cell | undefined, allowLoopback: boolean) => {
  const text = textOf(cell).trim()
  return allowLoopback || text.startsWith('https:') ? good(ApiUrl, text, null) : null
}

/**
 * A row as a node; `undefined` for a row that names none. Whatever the operator typed becomes what the contract allows, so that
 * one bad cell can't hide a node. An empty label or capacity is no wish: the node's own word counts.
 */
export function readServer(cells: Cells, { allowLoopback = false } = {}): Server | undefined {
  const serverId = ServerId.safeParse(textOf(cells.serverId).trim())
  if (!serverId.success) return undefined
  const nodeLabel = labelOf(cells.nodeLabel)
  const nodeCapacity = capacityOf(cells.nodeCapacity)
  const capacity = capacityOf(cells.capacity)
  return {
    serverId: serverId.data,
    color: good(Color, textOf(cells.color).trim(), ''),
    label: labelOf(cells.label) || nodeLabel,
    apiUrl: urlOf(cells.apiUrl, allowLoopback),
    enabled: isOn(cells.enabled),
    capacity: capacity ?? nodeCapacity ?? CAPACITY_DEFAULT,
    concurrency: good(Concurrency, numberOf(cells.concurrency, 1, 64), 1),
    assignedCount: numberOf(cells.assignedCount, 0, 1_000_000) ?? 0,
    lastSeen: timeOf(textOf(cells.lastSeenMs) === '' ? cells.lastSeen : cells.lastSeenMs),
    registeredAt: timeOf(cells.registeredMs),
    instanceId: good(InstanceId, textOf(cells.instanceId).trim(), ''),
    voices: words(cells.voices).filter((word) => VoiceId.safeParse(word).success),
    paths: words(cells.paths).filter((word) => ServedPath.safeParse(word).success).slice(0, PATHS_MAX),
    told: { label: nodeLabel, capacity: nodeCapacity ?? (capacity === undefined ? CAPACITY_DEFAULT : 0) },
    pastInstances: words(cells.pastInstances)
  }
}

/**
 * A node as a row. `lastSeen` is for people: a date, shown in the sheet's own time zone, which is ambiguous for an hour each
 * autumn and means another moment once that zone is changed. The registry itself believes `lastSeenMs`.
 */
export function writeServer(server: Server): Cells {
  const voices = server.voices.join(' ')
  return {
    serverId: guardText(server.serverId),
    color: guardText(server.color),
    label: guardText(server.label),
    apiUrl: guardText(server.apiUrl ?? ''),
    enabled: server.enabled,
    capacity: server.capacity,
    assignedCount: server.assignedCount,
    lastSeen: server.lastSeen === 0 ? '' : new Date(server.lastSeen),
    lastSeenMs: server.lastSeen,
    instanceId: guardText(server.instanceId),
    concurrency: server.concurrency,
    voices: guardText(voices.length <= VOICES_MAX_CHARS ? voices : voices.slice(0, voices.lastIndexOf(' ', VOICES_MAX_CHARS))),
    nodeLabel: guardText(server.told.label),
    nodeCapacity: server.told.capacity,
    pastInstances: guardText(server.pastInstances.join(' ')),
    registeredMs: server.registeredAt,
    paths: guardText(server.paths.join(' '))
  }
}

/** Whether two cells hold the same; two dates are two objects. */
export const isSameCell = (a: Cell | undefined, b: Cell | undefined) =>
  typeof a === 'object' && typeof b === 'object' ? a.getTime() === b.getTime() : a === b

/** Their `lastSeen` is exact, in milliseconds: thousands of rows that nobody reads. */
export const deviceFormatOf = (column: string) => (column === 'lastSeen' ? '0' : '@')

export function readDevice(cells: Cells): Device | undefined {
  const deviceId = DeviceId.safeParse(textOf(cells.deviceId).trim())
  const serverId = ServerId.safeParse(textOf(cells.serverId).trim())
  if (!deviceId.success || !serverId.success) return undefined
  return { deviceId: deviceId.data, serverId: serverId.data, lastSeen: timeOf(cells.lastSeen) }
}

export const writeDevice = (device: Device): Cells => ({
  deviceId: guardText(device.deviceId),
  serverId: guardText(device.serverId),
  lastSeen: device.lastSeen
})
