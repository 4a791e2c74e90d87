import { avatar, h, icon, reconcile } from './element.js'
import { peopleIn, voiceStateOf } from './store.js'

const TEXT = 0
const STAGE = 13

/** The server's name, its channels, and the members to act as. `onOpen` is told when a channel was chosen. */
export function sidebar(root, store, onOpen) {
  const server = h('div', { class: 'server' })
  const textChannels = h('ul', { class: 'channels' })
  const voiceChannels = h('ul', { class: 'channels' })
  const people = h('ul', { class: 'people', role: 'radiogroup', 'aria-labelledby': 'act-as' })
  root.replaceChildren(
    server,
    h('div', { class: 'scroll' }, h('h2', {}, 'Text channels'), textChannels, h('h2', {}, 'Voice channels'), voiceChannels),
    h('section', { class: 'acting' }, h('h2', { id: 'act-as' }, 'Act as'), people)
  )
  people.addEventListener('keydown', moveInGroup)

  return (state) => {
    reconcile(server, [state], { key: () => 'server', version: ({ guild, guilds }) => `${guild?.id} ${guilds.length}`, render: () => serverName(store) })
    const channels = state.guild?.channels ?? []
    reconcile(textChannels, channels.filter(({ type }) => type === TEXT), {
      key: ({ id }) => id,
      version: ({ id, name }) => `${name} ${id === state.channelId}`,
      render: (channel) => textChannel(channel, store, onOpen)
    })
    reconcile(voiceChannels, channels.filter(({ type }) => type !== TEXT), {
      key: ({ id }) => id,
      version: (channel) => JSON.stringify([channel, channel.id === state.voiceChannelId, peopleIn(state, channel.id)]),
      render: (channel) => voiceChannel(channel, store, onOpen)
    })
    reconcile(people, state.guild?.members.filter(({ bot }) => !bot) ?? [], {
      key: ({ id }) => id,
      version: (member) => JSON.stringify([member, member.id === state.actingId, placeOf(member, state)]),
      render: (member) => person(member, store)
    })
  }
}

function serverName(store) {
  const { guild, guilds } = store.state
  if (guilds.length < 2) return h('p', { class: 'server-name' }, guild?.name ?? 'Loading…')
  const options = guilds.map(({ id, name }) => h('option', { value: id, selected: id === guild?.id }, name))
  return h('p', { class: 'server-name' }, h('select', { 'aria-label': 'Server', onchange: (event) => store.chooseGuild(event.target.value) }, options))
}

function textChannel({ id, name }, store, onOpen) {
  const current = id === store.state.channelId
  const open = () => {
    store.set({ channelId: id })
    onOpen('text')
  }
  return h('li', {}, h('button', { type: 'button', class: 'channel', 'aria-current': current && 'page', onclick: open }, icon('hash'), h('span', {}, name)))
}

function voiceChannel({ id, name, type }, store, onOpen) {
  const inside = peopleIn(store.state, id)
  const current = id === store.state.voiceChannelId
  const open = () => {
    store.set({ voiceChannelId: id })
    onOpen('voice')
  }
  const label = `${name}, ${type === STAGE ? 'stage' : 'voice channel'}, ${inside.length === 0 ? 'empty' : `${inside.length} inside`}`
  return h('li', {},
    h('button', { type: 'button', class: 'channel', 'aria-current': current && 'true', 'aria-label': label, onclick: open },
      icon(type === STAGE ? 'stage' : 'speaker'), h('span', {}, name), inside.length > 0 && h('span', { class: 'count' }, inside.length)),
    inside.length > 0 && h('ul', { class: 'inside' }, inside.map(({ member }) => h('li', {}, avatar(member, 'tiny'), h('span', {}, member.name))))
  )
}

function placeOf(member, state) {
  const voice = voiceStateOf(state, member.id)
  const channel = state.guild.channels.find(({ id }) => id === voice?.channelId)
  return channel ? `in ${channel.name}` : ''
}

function person(member, store) {
  const chosen = member.id === store.state.actingId
  const place = placeOf(member, store.state)
  const detail = [place, member.owner && 'admin', place === '' && member.locale].filter(Boolean).join(' · ')
  return h('li', { role: 'none' },
    h('button', {
      type: 'button', class: 'person', role: 'radio', 'aria-checked': String(chosen), tabindex: chosen ? 0 : -1, onclick: () => store.chooseActing(member.id)
    }, avatar(member, 'small'), h('span', { class: 'who' }, h('span', { class: 'name' }, member.name), h('small', {}, detail)), chosen && icon('check')))
}

/** Arrow keys move through the radio group and choose, as native radio buttons do. */
function moveInGroup(event) {
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key]
  if (!step) return
  event.preventDefault()
  const radios = [...event.currentTarget.querySelectorAll('[role=radio]')]
  const next = radios[(radios.indexOf(document.activeElement) + step + radios.length) % radios.length]
  next?.focus()
  next?.click()
}
