const ACTING = 'voxpool.acting'
/** A page that stays open for days keeps the newest of each. */
const KEPT = 1000

/**
 * All that the page knows: the newest snapshot with the changes since, and what the person chose to look at.
 * `subscribe` hears of every change, at most once per turn of the event loop.
 */
export function createStore() {
  const state = {
    connection: 'connecting',
    guild: null,
    guilds: [],
    application: null,
    commands: [],
    messages: new Map(),
    interactions: new Map(),
    actingId: null,
    channelId: null,
    voiceChannelId: null
  }
  const listeners = new Set()
  let told = true

  const changed = () => {
    if (!told) return
    told = false
    queueMicrotask(() => {
      told = true
      for (const listener of listeners) listener(state)
    })
  }

  const set = (change) => {
    Object.assign(state, change)
    changed()
  }

  const events = {
    snapshot(data) {
      Object.assign(state, {
        guilds: data.guilds,
        application: data.application,
        commands: data.commands,
        messages: new Map(data.messages.map((message) => [message.id, message])),
        interactions: new Map(data.interactions.map((interaction) => [interaction.id, interaction]))
      })
      selectGuild(data.guilds.find(({ id }) => id === state.guild?.id) ?? data.guilds[0] ?? null)
    },
    message: (message) => keep(state.messages, message),
    messageDeleted: ({ id }) => void state.messages.delete(id),
    interaction: (interaction) => keep(state.interactions, interaction),
    commands: (commands) => void (state.commands = commands),
    voice({ guildId, states }) {
      const guild = state.guilds.find(({ id }) => id === guildId)
      if (guild) guild.voiceStates = states
    }
  }

  /** Keeps what was chosen while it still exists; otherwise the first of its kind. */
  function selectGuild(guild) {
    state.guild = guild
    const people = guild?.members.filter(({ bot }) => !bot) ?? []
    const stay = (list, id) => (list.find((item) => item.id === id) ?? list[0])?.id ?? null
    state.actingId = stay(people, state.actingId ?? localStorage.getItem(ACTING))
    state.channelId = stay(guild?.channels.filter(({ type }) => type === 0) ?? [], state.channelId)
    state.voiceChannelId = stay(guild?.channels.filter(({ type }) => type !== 0) ?? [], state.voiceChannelId)
  }

  return {
    state,
    set,
    subscribe: (listener) => void listeners.add(listener),
    apply(name, data) {
      events[name](data)
      changed()
    },
    chooseGuild(id) {
      selectGuild(state.guilds.find((guild) => guild.id === id) ?? state.guild)
      changed()
    },
    chooseActing(id) {
      localStorage.setItem(ACTING, id)
      const channelId = voiceStateOf(state, id)?.channelId ?? state.voiceChannelId
      set({ actingId: id, voiceChannelId: channelId })
    },
    member: (id) => state.guild?.members.find((member) => member.id === id) ?? null,
    channel: (id) => state.guild?.channels.find((channel) => channel.id === id) ?? null,
    acting: () => state.guild?.members.find((member) => member.id === state.actingId) ?? null
  }
}

export const voiceStateOf = (state, userId) => state.guild?.voiceStates.find((voice) => voice.userId === userId) ?? null

/** The members who are in a voice channel, with their voice states. */
export function peopleIn(state, channelId) {
  return (state.guild?.voiceStates ?? [])
    .filter((voice) => voice.channelId === channelId)
    .flatMap((voice) => {
      const member = state.guild.members.find(({ id }) => id === voice.userId)
      return member ? [{ member, voice }] : []
    })
}

function keep(map, item) {
  map.set(item.id, item)
  if (map.size > KEPT) map.delete(map.keys().next().value)
}
