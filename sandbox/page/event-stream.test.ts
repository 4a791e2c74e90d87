import { describe, expect, it } from 'vitest'
import { manualClock } from '../../bot/core/manual-clock.ts'
import { eventStream, HEARTBEAT_MS } from './event-stream.ts'
import type { Send } from './event-stream.ts'

function opened() {
  const clock = manualClock()
  const state = { closed: 0, send: (() => {}) as Send }
  const response = eventStream(clock, (send) => {
    state.send = send
    return () => {
      state.closed++
    }
  })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  const read = async () => (await reader.read()).value
  return { clock, state, reader, read }
}

describe('a stream of events', () => {
  it('sends what it is told, one line of JSON each', async () => {
    const { state, read, reader } = opened()
    expect(await read()).toBe('retry: 1000\n\n')
    expect(await read()).toMatch(/^event: beat\ndata: \d+\n\n$/)
    state.send('message', { text: 'a\nb\u2028c' })
    expect(await read()).toBe('event: message\ndata: {"text":"a\\nb\u2028c"}\n\n')
    await reader.cancel()
  })

  it('beats as long as somebody reads, and not after', async () => {
    const { clock, state, read, reader } = opened()
    await read()
    await read()
    await clock.advance(HEARTBEAT_MS)
    expect(await read()).toContain('event: beat')
    await reader.cancel()
    expect(state.closed).toBe(1)
    expect(clock.pending()).toBe(0)
  })

  it('ends once, with all it holds, when its reader falls behind', () => {
    const { clock, state } = opened()
    const megabyte = 'x'.repeat(1024 * 1024)
    for (let sent = 0; sent < 20; sent++) state.send('message', megabyte)
    expect(state.closed).toBe(1)
    expect(clock.pending()).toBe(0)
  })

  it('ends at once when the first thing it sends is too much', () => {
    const clock = manualClock()
    let closed = 0
    eventStream(clock, (send) => {
      send('snapshot', 'x'.repeat(9 * 1024 * 1024))
      return () => {
        closed++
      }
    })
    expect(closed).toBe(1)
    expect(clock.pending()).toBe(0)
  })
})
