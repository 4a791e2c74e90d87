import { onAppearance } from './appearance.js'
import { h } from './element.js'

const HEIGHT_PX = 150
/** A scale that ends below this would show one request as a wall. */
const TOP_LEAST = 4
const WHOLE_STEPS = Array.from({ length: 15 }, (_, zeros) => [1, 2, 5].map((step) => step * 10 ** zeros)).flat()

/** Without the library the sentences and the tables say the same. */
const library = import('/vendor/uplot/uPlot.esm.js').then(({ default: uPlot }) => uPlot, () => null)

/**
 * Bars over the hour, the later series in front. The pointer or the arrow keys choose a step, which `onChoose` hears of by its index, or null.
 * `series`: `[{ field, tint }]`, a tint being an element in whose colour the series is drawn: so it follows the theme, and forced colours.
 */
export function chartPlot({ series, label, hint, clock, compact, describe, onChoose }) {
  const canvas = h('div', { class: 'plot-canvas' })
  const element = h('div', {
    class: 'plot', role: 'slider', tabindex: '0', 'aria-label': label, 'aria-description': hint, 'aria-orientation': 'horizontal', 'aria-valuemin': '0',
    onkeydown: move, onblur: () => choose(null)
  }, canvas)
  let chart = null
  let slots = []
  /** A time, since the hour moves on below it. */
  let chosenAt = null
  let isEnded = false

  const colorOf = (tint) => window.getComputedStyle(tint).color
  const dataOf = () => [slots.map(({ at }) => at / 1_000), ...series.map(({ field }) => slots.map(({ point }) => point?.[field] ?? null))]

  void library.then((uPlot) => {
    if (uPlot === null || isEnded) return
    const axis = { stroke: () => colorOf(canvas), font: `12px ${window.getComputedStyle(canvas).fontFamily}`, ticks: { show: false } }
    const line = () => window.getComputedStyle(canvas).borderTopColor
    chart = new uPlot({
      width: Math.max(200, canvas.clientWidth),
      height: HEIGHT_PX,
      padding: [8, 18, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      scales: { x: { time: true, range: (_, min, max) => [min - 15, max + 15] }, y: { range: (_, __, max) => [0, Math.max(TOP_LEAST, max * 1.05)] } },
      axes: [
        { ...axis, size: 24, gap: 6, space: 64, grid: { show: false }, values: (_, times) => times.map((at) => clock(at * 1_000)) },
        { ...axis, size: 52, gap: 6, space: 32, incrs: WHOLE_STEPS, values: (_, counts) => counts.map(compact), grid: { stroke: line, width: 1 } }
      ],
      series: [{}, ...series.map(({ tint }) => ({
        stroke: () => colorOf(tint), fill: () => colorOf(tint), width: 0, points: { show: false }, paths: uPlot.paths.bars({ size: [0.75, 24] })
      }))],
      hooks: { setCursor: [({ cursor }) => document.activeElement !== element && choose(cursor.idx ?? null)] }
    }, dataOf(), canvas)
  })

  function choose(index) {
    chosenAt = slots[index]?.at ?? null
    element.setAttribute('aria-valuenow', String(index ?? slots.length - 1))
    element.setAttribute('aria-valuetext', describe(slots[index ?? slots.length - 1]))
    onChoose(index)
  }

  function move(event) {
    const at = chosenIndex() ?? slots.length - 1
    const to = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, PageDown: at - 10, PageUp: at + 10, Home: 0, End: slots.length - 1 }[event.key]
    if (to === undefined || slots.length === 0) return
    event.preventDefault()
    const next = Math.min(slots.length - 1, Math.max(0, to))
    choose(next)
    mark(next)
  }

  const mark = (index) => chart?.setCursor({ left: chart.valToPos(slots[index].at / 1_000, 'x'), top: 8 }, false)

  /** The oldest there is, where the chosen one has left the hour. */
  function chosenIndex() {
    const index = chosenAt === null ? -1 : slots.findIndex(({ at }) => at >= chosenAt)
    return index === -1 ? null : index
  }

  const sizes = new window.ResizeObserver(() => chart?.setSize({ width: Math.max(200, canvas.clientWidth), height: HEIGHT_PX }))
  sizes.observe(canvas)
  // A mere redraw leaves the bars in their colours.
  const endAppearance = onAppearance(() => chart?.setData(dataOf()))

  return {
    element,
    update(now) {
      slots = now
      element.setAttribute('aria-valuemax', String(Math.max(0, slots.length - 1)))
      // At once, since the mark is set by the new scale.
      chart?.batch(() => chart.setData(dataOf()))
      const isByKeys = document.activeElement === element
      const index = isByKeys ? chosenIndex() : (chart?.cursor.idx ?? null)
      choose(index)
      if (isByKeys && index !== null) mark(index)
    },
    end() {
      isEnded = true
      sizes.disconnect()
      endAppearance()
      chart?.destroy()
    }
  }
}
