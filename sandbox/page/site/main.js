import { appearance } from './appearance.js'
import { composer } from './composer.js'
import { connect } from './connection.js'
import { h, icon } from './element.js'
import { forms } from './form.js'
import { hearing } from './hearing.js'
import { sidebar } from './sidebar.js'
import { createStore } from './store.js'
import { timeline } from './timeline.js'
import { voicePanel } from './voice-panel.js'
import { welcome } from './welcome.js'

const part = (id) => document.getElementById(id)
const store = createStore()
const heard = hearing(() => drawHeard())

/** On narrow screens the sides are drawers: one of `sidebar` and `voice` is open, or none. */
const NARROW = matchMedia('(max-width: 1000px)')
let opener = null
function openDrawer(name) {
  const wanted = NARROW.matches ? name : ''
  if (wanted !== '') opener = document.activeElement
  document.body.dataset.drawer = wanted
  part('main').inert = wanted !== ''
  const drawer = wanted && part(wanted).querySelector('button:not([disabled])')
  if (drawer) drawer.focus()
  else if (name === '') opener?.focus()
}
const onChannel = (kind) => openDrawer(kind === 'voice' ? 'voice' : '')

const title = h('h1', { class: 'channel-title' })
const placeName = h('span')
const lamp = h('i', { class: 'lamp' })
const voiceButton = h('button', { type: 'button', class: 'voice-button', onclick: () => openDrawer('voice') }, icon('speaker'), h('span', { class: 'sr' }, 'Voice channel '), placeName, lamp)
part('top').replaceChildren(
  h('button', { type: 'button', class: 'round menu-button', 'aria-label': 'Channels and members', onclick: () => openDrawer('sidebar') }, icon('menu')),
  icon('hash'), title, h('span', { class: 'grow' }), voiceButton, appearance())

const drawSidebar = sidebar(part('sidebar'), store, onChannel)
const drawTimeline = timeline(part('timeline'), store)
const showForms = forms(store)
const write = composer(part('write'), store)
const panel = voicePanel(part('voice'), store, heard, () => openDrawer(''))
const drawWelcome = welcome(part('welcome'), store, heard, {
  onJoin: () => void panel.join(),
  onWrite: () => write.fill('/say hello'),
  onListen() {
    openDrawer('voice')
    if (heard.live.state() === 'off') heard.live.toggle()
  }
})

const retry = connect(store)
const banner = part('banner')
banner.replaceChildren(h('span', {}, 'The connection to the sandbox is lost. Trying again…'), h('button', { type: 'button', class: 'button secondary', onclick: retry }, 'Retry now'))

part('scrim').addEventListener('click', () => openDrawer(''))
window.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && document.body.dataset.drawer) openDrawer('')
})
NARROW.addEventListener('change', () => openDrawer(''))

/** Fifty times a second while somebody speaks: only what shows it. */
function drawHeard() {
  lamp.classList.toggle('lit', heard.speakerId !== null)
  drawWelcome(store.state)
  panel.update(store.state)
}

store.subscribe((state) => {
  document.body.dataset.connection = state.connection
  banner.hidden = state.connection !== 'lost'
  const name = store.channel(state.channelId)?.name ?? ''
  title.textContent = name
  document.title = name ? `#${name} · Voxpool sandbox` : 'Voxpool sandbox'
  placeName.textContent = store.channel(state.voiceChannelId)?.name ?? ''
  drawSidebar(state)
  drawTimeline(state)
  showForms(state)
  write.update(state)
  drawHeard()
})
store.set({})
