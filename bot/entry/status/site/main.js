import { createAdmin } from './admin.js'
import { connect } from './connection.js'
import { newsOf } from './event-log.js'
import { preferredLanguage, rememberLanguage, speaking } from './language.js'
import { page } from './page.js'
import { createStore, isBroken } from './store.js'

const store = createStore()
const admin = createAdmin(store)

const root = document.getElementById('page')
const announcer = document.getElementById('announcer')
const news = newsOf()
let speech = null
let shown = null
let retry = () => {}
let told = null
let wasBroken = false

function show(language) {
  shown?.end()
  speech = speaking(language)
  shown = page(speech, store, { admin, retry: () => retry(), chooseLanguage })
  root.replaceChildren(...shown.elements)
  update()
}

function chooseLanguage(language) {
  rememberLanguage(language)
  show(language)
  shown.focusLanguage()
}

function update() {
  const { state } = store
  shown.update(state)
  const isLost = isBroken(state)
  if (isLost !== wasBroken) announcer.textContent = speech.say(isLost ? 'live.lost' : 'live.back')
  wasBroken = isLost
  if (state.snapshot === null || state.snapshot === told) return
  told = state.snapshot
  const words = news(state.snapshot, speech)
  if (words !== null) announcer.textContent = words
}

show(preferredLanguage())
store.subscribe(update)
// Ages grow between two snapshots.
setInterval(update, 1_000)
retry = connect(store)
void admin.start()
