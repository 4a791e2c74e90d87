import { adminBar } from './admin-bar.js'
import { appearanceButton } from './appearance.js'
import { charts } from './charts.js'
import { h, setText } from './element.js'
import { eventLog } from './event-log.js'
import { LANGUAGES } from './language.js'
import { nodeList } from './node-list.js'
import { pathTable } from './path-table.js'
import { botNowMs, isBroken } from './store.js'
import { verdict } from './verdict.js'

/** The whole page in one language. `update` draws what is known now; `end` lets go of what hears of changes by itself. */
export function page(speech, store, { admin, retry, chooseLanguage }) {
  const { say } = speech
  const appearance = appearanceButton(speech)
  const language = h('select', { class: 'language', 'aria-label': say('page.language'), onchange: () => chooseLanguage(language.value) },
    Object.entries(LANGUAGES).map(([code, { name }]) => h('option', { value: code, lang: code, selected: code === speech.language }, name)))
  const header = h('header', { class: 'top' },
    h('a', { class: 'brand', href: '/' }, h('img', { src: '/icon.svg', alt: '', width: '24', height: '24' }), 'Voxpool'),
    h('a', { class: 'docs', href: '/docs/' }, say('page.docs')), language, appearance.element)

  const hour = charts(speech)
  const parts = [verdict(speech, store, retry), nodeList(speech, store, admin.act), hour, eventLog(speech, store), pathTable(speech)]
  const [first, ...sections] = parts.map(({ element }) => element)
  const bar = adminBar(speech, admin)
  const frame = h('div', { class: 'frame' }, sections)
  const loading = skeleton(say('page.loading'))
  const main = h('main', { id: 'main' }, bar.element, first, frame, loading)
  const about = h('p')
  const footer = h('footer', {}, about, h('p', {}, h('a', { href: '/docs/nodes#the-status-page' }, say('page.help'))))

  document.documentElement.lang = speech.language
  document.title = say('page.title')
  const skip = h('a', { class: 'skip', href: '#status' }, say('page.skip'))

  return {
    elements: [skip, header, main, footer],
    focusLanguage: () => language.focus(),
    update(state) {
      const { snapshot } = state
      const isLoading = snapshot === null && !isBroken(state)
      loading.hidden = !isLoading
      main.setAttribute('aria-busy', String(isLoading))
      first.hidden = isLoading
      frame.hidden = snapshot === null
      if (!isLoading) for (const part of parts) part.update(state)
      bar.update(state)
      about.hidden = snapshot === null
      if (snapshot !== null) setText(about, `${say('page.version', { version: snapshot.version })} · ${say('page.startedAt', { time: speech.time(snapshot.startedAt, botNowMs(state)) })}`)
    },
    end() {
      hour.end()
      appearance.end()
    }
  }
}

/** As much room as what is coming will take, so that nothing jumps. */
function skeleton(words) {
  const blocks = (name, count) => h('div', { class: name }, Array.from({ length: count }, () => h('span', { class: 'block' })))
  return h('div', { class: 'skeleton' }, h('h1', { class: 'sr' }, words), h('div', { 'aria-hidden': 'true' }, blocks('skeleton-verdict', 1), blocks('skeleton-nodes', 3)))
}
