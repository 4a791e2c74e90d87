import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { schemas } from './index.ts'
import type { SchemaName } from './index.ts'
import { parseServers } from './registry.ts'
import node from './vectors/node.json' with { type: 'json' }
import registry from './vectors/registry.json' with { type: 'json' }

describe.each([...registry, ...node])('$schema: $name', ({ schema, good, value }) => {
  it(good ? 'is accepted' : 'is refused', () => {
    expect(schemas[schema as SchemaName].safeParse(value).success).toBe(good)
  })
})

describe('the vectors', () => {
  it('show every schema both accepting and refusing something', () => {
    const shown = new Set([...registry, ...node].map(({ schema, good }) => `${schema} ${String(good)}`))
    const missing = Object.keys(schemas).flatMap((name) => [`${name} true`, `${name} false`].filter((row) => !shown.has(row)))
    expect(missing).toEqual([])
  })
})

describe('parseServers', () => {
  const good = { serverId: 'a', color: '', label: '', apiUrl: 'https://a.example', enabled: true, capacity: 4, lastSeen: 5 }

  it('keeps the good rows and counts the bad ones', () => {
    const { servers, badRows } = parseServers([good, { ...good, capacity: 'many' }, null])
    expect(servers).toEqual([{ ...good, concurrency: 1 }])
    expect(badRows).toBe(2)
  })

  it('never throws, whatever the rows are', () => {
    fc.assert(
      fc.property(fc.array(fc.anything()), (rows) => {
        const { servers, badRows } = parseServers(rows)
        return servers.length + badRows === rows.length
      })
    )
  })
})
