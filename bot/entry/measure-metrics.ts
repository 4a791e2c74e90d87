import { Counter, Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import type { Quantiles } from './durations.ts'
import type { Figures, Measures } from './measure.ts'

/** Adds what the entry measures to the metrics, read at each scrape. */
export function exposeMeasures(registry: Registry, measures: Measures): void {
  expose(registry, 'path', () => measures.paths())
  expose(registry, 'upstream', () => measures.upstreams())
}

function expose(registry: Registry, of: 'path' | 'upstream', read: () => Figures[]) {
  const registers = [registry]
  const counter = (name: string, help: string, label: string, counts: (figures: Figures) => Readonly<Record<string, number>>) =>
    new Counter({
      name, help, registers,
      labelNames: [of, label],
      collect() {
        this.reset()
        for (const figures of read()) for (const [value, times] of Object.entries(counts(figures))) this.inc({ [of]: figures.name, [label]: value }, times)
      }
    })
  const quantiles = (name: string, help: string, of_: (figures: Figures) => Quantiles) =>
    new Gauge({
      name, help, registers,
      labelNames: [of, 'quantile'],
      collect() {
        this.reset()
        for (const figures of read()) {
          const { count, p50Ms, p95Ms, p99Ms } = of_(figures)
          // Nothing was measured: that is no time of 0.
          if (count === 0) continue
          for (const [quantile, ms] of [['0.5', p50Ms], ['0.95', p95Ms], ['0.99', p99Ms]] as const) this.set({ [of]: figures.name, quantile }, ms / 1_000)
        }
      }
    })
  const isPath = of === 'path'
  counter(`voxpool_entry_${of}_requests_total`, isPath ? 'Requests to the entry by the class of their status, or cut: begun well and broken off' : 'Requests to an upstream by result: ok or the kind of failure', isPath ? 'status' : 'result', ({ requests }) => requests)
  counter(`voxpool_entry_${of}_failures_total`, `Failures of a${isPath ? '' : 'n'} ${of} by kind`, 'kind', ({ failures }) => failures)
  quantiles(`voxpool_entry_${of}_seconds`, isPath ? 'From a request until its answer’s end, over the last minutes' : 'Until an upstream’s answer began, or a segment of speech was there, over the last minutes', ({ took }) => took())
  quantiles(`voxpool_entry_${of}_queue_seconds`, 'Waiting for a place at an upstream, over the last minutes', ({ queued }) => queued())
  new Gauge({
    name: `voxpool_entry_${of}_in_flight`,
    help: 'Requests under way or waiting for a place',
    registers,
    labelNames: [of],
    collect() {
      this.reset()
      for (const { name, inFlight } of read()) this.set({ [of]: name }, inFlight)
    }
  })
}
