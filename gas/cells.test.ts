import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Label, ServerId } from '../bot/wire/fields.ts'
import { formatOf, guardText, readServer, textOf, writeServer } from './cells.ts'
import { coerce } from './emulation/coerce.ts'
import type { Server } from './registry.ts'

const node: Server = {
  serverId: '007', color: '#e64980', label: 'Pink', apiUrl: 'https://a.example', enabled: true, capacity: 10, concurrency: 1, assignedCount: 2,
  lastSeen: 1_700_000_000_123, registeredAt: 1_700_000_000_001, instanceId: 'i1', voices: ['tone', '-x'], paths: ['/v1/chat/completions', '/v1/images/*'], told: { label: 'Pink', capacity: 10 }, pastInstances: ['=i0']
}
/** Through a sheet and back. */
const stored = (server: Server) =>
  readServer(Object.fromEntries(Object.entries(writeServer(server)).map(([name, cell]) => [name, coerce(cell, formatOf(name)).value])))

describe('a cell', () => {
  it('gives back every text that the contract allows, and never runs it', () => {
    const risky = fc.tuple(fc.constantFrom('=', '+', '-', '@', "'", '\u3000=', '1e', '0', ''), fc.string({ unit: 'grapheme' })).map(([head, tail]) => head + tail)
    fc.assert(
      fc.property(risky, (text) => {
        fc.pre(Label.safeParse(text).success || ServerId.safeParse(text).success)
        const cell = coerce(guardText(text), '@')
        expect(cell.isFormula).toBe(false)
        expect(textOf(cell.value)).toBe(text)
      }),
      { numRuns: 500 }
    )
  })

  it('holds a whole node', () => {
    expect(stored(node)).toEqual(node)
    expect(stored({ ...node, apiUrl: null, enabled: false, lastSeen: 0 })).toEqual({ ...node, apiUrl: null, enabled: false, lastSeen: 0 })
  })

  it('says to people when a node was last seen', () => {
    expect(formatOf('lastSeen')).toBe('yyyy-mm-dd hh:mm:ss')
    expect(writeServer(node)).toMatchObject({ lastSeen: new Date(1_700_000_000_123), lastSeenMs: 1_700_000_000_123 })
    expect(writeServer({ ...node, lastSeen: 0 }).lastSeen).toBe('')
  })

  it('keeps whole voices when they are too many for a cell', () => {
    const voices = Array.from({ length: 1000 }, (_, index) => `voice-${String(index)}-${'x'.repeat(60)}`)
    const kept = stored({ ...node, voices })?.voices ?? []
    expect(kept.length).toBeGreaterThan(100)
    expect(kept).toEqual(voices.slice(0, kept.length))
  })
})

describe('what an operator types', () => {
  it.each([true, 'TRUE', 'yes', ' On ', '', 1, 'はい'])('%j leaves the node on', (enabled) => {
    expect(readServer({ serverId: 'n', enabled })?.enabled).toBe(true)
  })
  it.each([false, 'FALSE', 'no', 'off', 0, 'いいえ', 'being repaired'])('%j turns the node off', (enabled) => {
    expect(readServer({ serverId: 'n', enabled })?.enabled).toBe(false)
  })
  it.each([[5, 5], ['5', 5], [2.4, 2], [0, 1], [-3, 1], [1e9, 100_000], ['many', 10], ['', 10]])('the capacity %j counts as %j', (capacity, expected) => {
    expect(readServer({ serverId: 'n', capacity, nodeCapacity: 10 })?.capacity).toBe(expected)
  })
  it.each([[42, '42'], ['two\nlines', 'two lines'], ['x'.repeat(90), 'x'.repeat(80)], ['', 'Pink'], [true, 'TRUE']])('the label %j counts as %j', (label, expected) => {
    expect(readServer({ serverId: 'n', label, nodeLabel: 'Pink' })?.label).toBe(expected)
  })
  it.each([[new Date(1234), 1234], ['soon', 0], [-5, 0], [Number.MAX_VALUE, 8.64e15]])('the time %j counts as %j', (lastSeen, expected) => {
    const server = readServer({ serverId: 'n', lastSeen })
    expect(server?.lastSeen).toBe(expected)
    expect(server && writeServer(server).lastSeenMs).toBe(expected)
  })
  it.each([['https://a.example', 'https://a.example'], ['http://127.0.0.1:8000', null], ['http://a.example', null], ['soon', null]])('the address %j counts as %j', (apiUrl, expected) => {
    expect(readServer({ serverId: 'n', apiUrl })?.apiUrl).toBe(expected)
  })
  it('an address on this machine counts where registry and nodes are one machine', () => {
    expect(readServer({ serverId: 'n', apiUrl: 'http://127.0.0.1:8000' }, { allowLoopback: true })?.apiUrl).toBe('http://127.0.0.1:8000')
  })
  it('a row without an id is no node', () => {
    expect(readServer({ serverId: ' ', label: 'notes' })).toBeUndefined()
    expect(readServer({ serverId: 'two words' })).toBeUndefined()
  })
})
