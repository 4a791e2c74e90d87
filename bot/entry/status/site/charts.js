import { rowsOf, slotsOf, totalsOf } from './chart-data.js'
import { chartPlot } from './chart-plot.js'
import { h, setText } from './element.js'
import { botNowMs } from './store.js'

/** Requests with those that failed, and who waited, over the last hour: each as bars, as a sentence, and as a table. */
export function charts(speech) {
  const { say } = speech
  const both = [
    chart(speech, 'requests', ['requests', 'failed'], ({ requests, failed, mostRequests }) => say('charts.requests.sum', { sum: requests, failed, most: mostRequests })),
    chart(speech, 'waiting', ['waiting'], ({ mostWaiting, mostWaitingAt }) =>
      say('charts.waiting.sum', { most: mostWaiting, time: mostWaitingAt === null ? '' : speech.clock(mostWaitingAt) }))
  ]
  const element = h('section', { class: 'area-charts', 'aria-labelledby': 'charts' },
    h('div', { class: 'section-head' }, h('h2', { id: 'charts' }, say('charts.title'))), h('div', { class: 'charts' }, both.map((each) => each.element)))
  let shown = null

  return {
    element,
    update(state) {
      const { snapshot } = state
      element.hidden = snapshot === null || (snapshot.nodes.length === 0 && snapshot.history.points.length === 0)
      if (element.hidden || shown === JSON.stringify(snapshot.history)) return
      shown = JSON.stringify(snapshot.history)
      const slots = slotsOf(snapshot.history, botNowMs(state))
      for (const each of both) each.update(slots)
    },
    end: () => both.forEach((each) => each.end())
  }
}

function chart(speech, name, fields, sumOf) {
  const { say } = speech
  const title = say(`charts.${name}`)
  const keys = fields.map((field) => {
    const tint = h('span', { class: `tint tint-${field}`, 'aria-hidden': 'true' })
    const value = h('b')
    return { field, tint, value, element: h('li', {}, tint, h('span', {}, say(`charts.${field}`)), value) }
  })
  const at = h('li', { class: 'chosen-at' })
  const sum = h('p', { class: 'sum' })
  const rows = h('tbody')
  const columns = [['charts.at'], ...fields.map((field) => [`charts.${field}`]), ...(name === 'requests' ? [['charts.latency']] : [])]
  const table = h('table', {}, h('caption', { class: 'sr' }, say('charts.tableOf', { name: title })),
    h('thead', {}, h('tr', {}, columns.map(([key]) => h('th', { scope: 'col' }, say(key))))), rows)
  const details = h('details', { class: 'as-table', ontoggle: fill }, h('summary', {}, say('charts.table')),
    h('div', { class: 'table', role: 'group', tabindex: '0', 'aria-label': say('charts.tableOf', { name: title }) }, table))
  let slots = []

  const valuesOf = (point) => fields.map((field) => say('charts.pair', { name: say(`charts.${field}`), value: point[field] })).join(', ')
  const plot = chartPlot({
    series: keys,
    label: title,
    hint: say('charts.keys'),
    clock: speech.clock,
    compact: speech.compact,
    describe(slot) {
      if (slot === undefined) return say('charts.none')
      return say('charts.value', { time: speech.clock(slot.at), values: slot.point === null ? say('charts.gap') : valuesOf(slot.point) })
    },
    onChoose(index) {
      const slot = index === null ? undefined : slots[index]
      for (const { field, value } of keys) setText(value, slot?.point ? speech.number(slot.point[field]) : '')
      setText(at, slot === undefined ? '' : slot.point === null ? `${speech.clock(slot.at)} · ${say('charts.gap')}` : speech.clock(slot.at))
    }
  })

  function fill() {
    if (!details.open) return
    rows.replaceChildren(...rowsOf(slots).map((row) => h('tr', {},
      h('th', { scope: 'row' }, speech.clock(row.at)), fields.map((field) => h('td', {}, speech.number(row[field]))),
      name === 'requests' && h('td', {}, row.p95Ms === null ? '–' : speech.seconds(row.p95Ms)))))
  }

  return {
    element: h('figure', { class: 'chart', 'aria-label': title },
      h('figcaption', {}, h('h3', {}, title), sum), h('ul', { class: 'keys' }, keys.map((key) => key.element), at), plot.element, details),
    update(now) {
      slots = now
      const totals = totalsOf(slots)
      setText(sum, totals.isEmpty ? say('charts.none') : sumOf(totals))
      details.hidden = totals.isEmpty
      plot.update(slots)
      fill()
    },
    end: plot.end
  }
}
