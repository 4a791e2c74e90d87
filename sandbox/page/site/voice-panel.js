import { act } from './connection.js'
import { avatar, h, icon, reconcile } from './element.js'
import { heardStrip } from './heard-strip.js'
import { peopleIn, voiceStateOf } from './store.js'

/** The chosen voice channel: who is in it, the button to join or leave as the acting member, and what is heard there. */
export function voicePanel(root, store, heard, onClose) {
  const title = h('h2', { id: 'voice-title' })
  const close = h('button', { type: 'button', class: 'round close-panel', 'aria-label': 'Close the voice panel', onclick: onClose }, icon('close'))
  const people = h('ul', { class: 'tiles', 'aria-label': 'In this channel' })
  const nobody = h('p', { class: 'nobody' })
  const join = h('button', { type: 'button', class: 'button wide', 'data-testid': 'voice-join', onclick: () => void toggle() })
  const problem = h('p', { class: 'problem', role: 'alert' })
  const strip = heardStrip(heard, store)
  root.replaceChildren(h('header', { class: 'panel-head' }, icon('speaker'), title, close), h('div', { class: 'room' }, people, nobody, join, problem), strip.element)

  const isInside = () => voiceStateOf(store.state, store.state.actingId)?.channelId === store.state.voiceChannelId

  async function toggle() {
    const { actingId: userId, voiceChannelId: channelId, guild } = store.state
    problem.textContent = ''
    try {
      await (isInside() ? act('leave', { userId, guildId: guild.id }) : act('join', { userId, channelId }))
    } catch (error) {
      problem.textContent = error.message
    }
  }

  return {
    join: async () => {
      if (!isInside()) await toggle()
    },
    update(state) {
      const channel = store.channel(state.voiceChannelId)
      root.hidden = channel === null
      if (!channel) return
      heard.listen(state.guild.id, channel.id)
      title.textContent = channel.name
      const inside = peopleIn(state, channel.id)
      reconcile(people, inside, {
        key: ({ member }) => member.id,
        version: (one) => JSON.stringify([one, heard.speakerId === one.member.id]),
        render: (one) => tile(one, heard.speakerId === one.member.id)
      })
      nobody.hidden = inside.length > 0
      nobody.textContent = `Nobody is in ${channel.name} yet.`
      const name = store.acting()?.name ?? ''
      join.textContent = isInside() ? `Leave as ${name}` : `Join as ${name}`
      join.className = `button wide ${isInside() ? 'secondary' : 'primary'}`
      join.disabled = state.connection !== 'live'
      strip.update()
    }
  }
}

function tile({ member, voice }, speaking) {
  const notes = [voice.suppress && 'audience', (voice.mute || voice.selfMute) && 'muted', (voice.deaf || voice.selfDeaf) && 'deafened'].filter(Boolean)
  return h('li', { class: `tile ${speaking ? 'speaking' : ''}`, style: { '--who': member.color } },
    avatar(member), h('span', { class: 'name' }, member.name), h('small', {}, speaking ? 'speaking' : notes.join(', ') || (member.bot ? 'app' : 'listening')))
}
