import { describe, expect, it } from 'vitest'
import type { State } from './registry.ts'
import { listed, orderOf, play } from './story.ts'

describe('the moment of registration', () => {
  const at = (body: object, atMs: number) => ({ order: orderOf('register', { serverId: 'n', apiUrl: 'https://a.example', ...body }), atMs })
  const since = (state: State) => state.servers[0]?.registeredAt

  it('is that of this start: a moved tunnel is the same start, another instance or a return is not', () => {
    const first = play([at({ instanceId: 'i1' }, 1000)])
    const moved = play([at({ instanceId: 'i1', apiUrl: 'https://b.example' }, 2000)], first.state)
    const other = play([at({ instanceId: 'i2' }, 3000)], moved.state)
    const back = play([{ order: orderOf('unregister', { serverId: 'n', instanceId: 'i2' }), atMs: 4000 }, at({ instanceId: 'i2' }, 5000)], other.state)
    expect([first, moved, other, back].map(({ state }) => since(state))).toEqual([1000, 1000, 3000, 5000])
  })

  it('is known by the address where no instance is told, and is listed', () => {
    const first = play([at({}, 1000), at({}, 2000)])
    const other = play([at({ apiUrl: 'https://b.example' }, 3000)], first.state)
    expect([since(first.state), since(other.state)]).toEqual([1000, 3000])
    expect(listed(other.state, 3000).get('n')).toMatchObject({ registeredAt: 3000 })
  })

  it('is not made up for a node that an older version wrote down', () => {
    const { state } = play([at({}, 1000)])
    const old: State = { ...state, servers: state.servers.map((server) => ({ ...server, registeredAt: 0 })) }
    expect(listed(old, 2000).get('n')).not.toHaveProperty('registeredAt')
  })
})
