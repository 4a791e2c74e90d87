import { eachOf, h, setText } from './element.js'

/** What programs ask for at the entry: speech and other services, the busiest first. */
export function pathTable(speech) {
  const { say, number, seconds } = speech
  const time = (ms) => (ms === null ? '–' : seconds(ms))
  const columns = [
    ['path', ({ name }) => name], ['requests', ({ requests }) => number(requests)], ['failed', ({ failed }) => number(failed)], ['inFlight', ({ inFlight }) => number(inFlight)],
    ['p50', ({ p50Ms }) => time(p50Ms)], ['p95', ({ p95Ms }) => time(p95Ms)], ['p99', ({ p99Ms }) => time(p99Ms)], ['queue', ({ queueP95Ms }) => time(queueP95Ms)]
  ]
  const body = h('tbody', { role: 'rowgroup' })
  // On a phone its rows are laid out as blocks, which takes a table's meaning from it: so each part says what it is.
  const table = h('table', { class: 'paths', role: 'table', 'aria-labelledby': 'paths' },
    h('thead', { role: 'rowgroup' }, h('tr', { role: 'row' }, columns.map(([name]) => h('th', { scope: 'col', role: 'columnheader' }, say(`paths.${name}`))))), body)
  const box = h('div', { class: 'table card' }, table)
  const none = h('p', { class: 'card nothing' }, say('paths.none'))
  const element = h('section', { class: 'area-paths', 'aria-labelledby': 'paths' }, h('div', { class: 'section-head' }, h('h2', { id: 'paths' }, say('paths.title'))), box, none)
  const each = eachOf(body, {
    key: ({ name }) => name,
    create() {
      const cells = columns.map(([name]) => (name === 'path' ? h('th', { scope: 'row', role: 'rowheader' }) : h('td', { role: 'cell', 'data-name': say(`paths.${name}`) })))
      return { element: h('tr', { role: 'row' }, cells), update: (path) => columns.forEach(([name, valueOf], at) => (name === 'path' ? setPath : setText)(cells[at], valueOf(path))) }
    }
  })

  return {
    element,
    update({ snapshot }) {
      element.hidden = snapshot === null || (snapshot.nodes.length === 0 && snapshot.paths.length === 0)
      if (element.hidden) return
      each(snapshot.paths)
      box.hidden = snapshot.paths.length === 0
      none.hidden = snapshot.paths.length > 0
    }
  }
}

/** It is broken after its slashes first. */
function setPath(cell, path) {
  if (cell.textContent !== path) cell.replaceChildren(...path.split(/(?<=.\/)/).flatMap((part) => [part, h('wbr')]))
}
