import { h, icon, reconcile } from './element.js'
import { voiceStateOf } from './store.js'

const DISMISSED = 'voxpool.welcomed'
const INTRO = 'This is a small Discord on your own machine, with the real bot in it. Nothing leaves this computer.'
const OUTRO = 'That is all there is to it. Type / for the other commands, or act as somebody else.'

/** The three steps of a first visit. Each does its part when it is pressed, and ticks itself off when it was done by any way. */
export function welcome(root, store, heard, { onJoin, onWrite, onListen }) {
  const done = { join: false, say: false, listen: false }
  const place = () => store.channel(store.state.voiceChannelId)?.name ?? 'a voice channel'
  const steps = [
    { name: 'join', label: () => `Join ${place()}`, press: onJoin },
    { name: 'say', label: () => 'Type /say hello', press: onWrite },
    { name: 'listen', label: () => 'Listen', press: onListen }
  ]
  const list = h('ol')
  const words = h('p')
  let dismissed = localStorage.getItem(DISMISSED) === 'yes'
  const remember = () => localStorage.setItem(DISMISSED, 'yes')
  const dismiss = () => {
    dismissed = true
    remember()
    root.hidden = true
  }
  root.replaceChildren(
    h('div', { class: 'welcome-head' }, h('h2', {}, 'Hear it in three steps'),
      h('button', { type: 'button', class: 'round', 'aria-label': 'Hide these steps', onclick: dismiss }, icon('close'))),
    words, list)

  return (state) => {
    root.hidden = dismissed || !state.guild
    if (root.hidden) return
    done.join ||= voiceStateOf(state, state.actingId) !== null
    done.say ||= [...state.interactions.values()].some(({ userId }) => userId === state.actingId)
    done.listen ||= heard.packets > 0
    const all = Object.values(done).every(Boolean)
    // It stays until it is closed, but whoever has done it all needs it no second time.
    if (all) remember()
    words.textContent = all ? OUTRO : INTRO
    reconcile(list, steps, {
      key: ({ name }) => name,
      version: ({ name, label }) => `${done[name]} ${label()}`,
      render: ({ name, label, press }) => step(done[name], label(), press)
    })
  }
}

const step = (done, label, press) =>
  h('li', { class: done ? 'done' : '' },
    h('button', { type: 'button', onclick: press }, h('span', { class: 'tick', 'aria-hidden': 'true' }, done && icon('check')), label, done && h('span', { class: 'sr' }, ' (done)')))
