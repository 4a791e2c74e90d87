import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { manualClock } from '../core/manual-clock.ts'
import { createMeasures } from './measure.ts'
import { exposeMeasures } from './measure-metrics.ts'

describe('the measures', () => {
  it('tell of each path how many, how long, how many now, and what failed', async () => {
    const clock = manualClock()
    const measures = createMeasures(clock)
    for (let time = 1; time <= 100; time++) {
      const ended = measures.begin('/v1/x')
      await clock.advance(time)
      ended({ status: time === 100 ? 502 : 200, queueMs: 5, ...(time === 100 && { failure: 'reset' }) })
    }
    measures.begin('/v1/x')
    const [path] = measures.paths()
    expect(path).toMatchObject({ name: '/v1/x', inFlight: 1, requests: { '2xx': 99, '5xx': 1 }, failures: { reset: 1 } })
    expect(path?.took().count).toBe(100)
    for (const [ms, expected] of [[path?.took().p50Ms, 50], [path?.took().p95Ms, 95], [path?.took().p99Ms, 99], [path?.queued().p50Ms, 5]] as const) {
      expect(ms).toBeGreaterThan(expected * 0.98)
      expect(ms).toBeLessThan(expected * 1.02)
    }
  })

  it('tell of each upstream how its attempts ended, and how long until it answered', async () => {
    const clock = manualClock()
    const measures = createMeasures(clock)
    const [first, second] = [measures.ask('n1'), measures.ask('n1')]
    expect(measures.upstreams()).toMatchObject([{ name: 'n1', inFlight: 2 }])
    first({ queueMs: 0, upstreamMs: 40 })
    second({ queueMs: 10, failure: 'full' })
    expect(measures.upstreams()).toMatchObject([{ name: 'n1', inFlight: 0, requests: { ok: 1, full: 1 }, failures: { full: 1 } }])
    const [upstream] = measures.upstreams()
    expect([upstream?.took().count, upstream?.queued().count]).toEqual([1, 2])
  })

  it('forget times that are old, and keep counts', async () => {
    const clock = manualClock()
    const measures = createMeasures(clock)
    const ended = measures.begin('/x')
    await clock.advance(1_000)
    ended({ status: 200 })
    await clock.advance(299_000)
    expect(measures.paths()[0]?.took().count).toBe(1)
    await clock.advance(400_000)
    expect(measures.paths()[0]).toMatchObject({ requests: { '2xx': 1 } })
    expect(measures.paths()[0]?.took()).toMatchObject({ count: 0, p99Ms: 0 })
  })

  it('are bounded in their names, of which the one that was idle longest makes room', async () => {
    const clock = manualClock()
    const measures = createMeasures(clock)
    const named = () => measures.upstreams().map(({ name }) => name)
    for (let name = 0; name < 600; name++) measures.ask(`n${name}`)({ queueMs: 0 })
    expect(named()).toHaveLength(501)
    expect(measures.upstreams().find(({ name }) => name === 'other')?.requests).toEqual({ ok: 100 })
    await clock.advance(600_001)
    measures.ask('n0')({ queueMs: 0 })
    for (const name of ['new', 'newer']) measures.ask(name)({ queueMs: 0 })
    expect([named().length, ...['n0', 'n1', 'n2', 'n3', 'other', 'new', 'newer'].map((name) => named().includes(name))]).toEqual([501, true, false, false, true, true, true, true])
    for (let round = 0; round < 3; round++) {
      await clock.advance(600_001)
      for (let name = 0; name < 499; name++) measures.ask(`in use ${name}`)({ queueMs: 0 })
      for (let name = 0; name < 5; name++) measures.ask(`${round} ${name}`)({ queueMs: 0 })
      expect([named().length, named().includes('other')]).toEqual([501, true])
    }
  })

  it('tell an answer that broke off from one that was good, and from a caller who left', () => {
    const measures = createMeasures(manualClock())
    for (const failure of [undefined, 'reset', 'gone', 'slow', 'tooLarge']) measures.begin('/v1/x')({ status: 200, failure })
    measures.begin('/v1/x')({ status: 502, failure: 'reset' })
    expect(measures.paths()[0]).toMatchObject({ requests: { '2xx': 4, cut: 1, '5xx': 1 }, failures: { reset: 2, gone: 1, slow: 1, tooLarge: 1 } })
  })

  it('stand among the metrics', async () => {
    const registry = new Registry()
    const clock = manualClock()
    const measures = createMeasures(clock)
    exposeMeasures(registry, measures)
    const ended = measures.begin('/v1/x')
    await clock.advance(250)
    ended({ status: 504, queueMs: 0, failure: 'timeout' })
    measures.ask('n1')({ queueMs: 0, upstreamMs: 200, failure: 'timeout' })
    const text = await registry.metrics()
    for (const line of [
      'voxpool_entry_path_requests_total{path="/v1/x",status="5xx"} 1',
      'voxpool_entry_path_failures_total{path="/v1/x",kind="timeout"} 1',
      'voxpool_entry_path_in_flight{path="/v1/x"} 0',
      'voxpool_entry_upstream_requests_total{upstream="n1",result="timeout"} 1'
    ]) {
      expect(text).toContain(line)
    }
    expect(text).toMatch(/voxpool_entry_path_seconds\{path="\/v1\/x",quantile="0\.95"\} 0\.2[45]/)
    expect(text).toMatch(/voxpool_entry_upstream_seconds\{upstream="n1",quantile="0\.5"\} 0\.(?:2|19)/)
    measures.begin('/v1/y')
    const waiting = await registry.metrics()
    expect(waiting).toContain('voxpool_entry_path_in_flight{path="/v1/y"} 1')
    // What was never measured has no time, rather than one of 0.
    expect(waiting).not.toContain('seconds{path="/v1/y"')
  })
})
