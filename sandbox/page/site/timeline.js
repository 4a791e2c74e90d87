import { h, icon, reconcile } from './element.js'
import { messageRow } from './message.js'

const GROUP_MS = 5 * 60_000
const NEAR_END_PX = 80
/** What Discord calls type 2: a slash command. The page shows who used it above the reply. */
const COMMAND = 2

/** The messages of the chosen channel as the acting member sees them. It follows the newest, unless somebody scrolled up to read. */
export function timeline(root, store) {
  const log = h('div', { class: 'log', role: 'log', 'aria-label': 'Messages', 'aria-live': 'polite', 'aria-relevant': 'additions' })
  const empty = h('div', { class: 'empty' })
  const scroller = h('div', { class: 'scroller', tabindex: 0, 'aria-label': 'Message history', role: 'region' }, empty, log)
  const more = h('button', { type: 'button', class: 'newer', hidden: true }, icon('down'), 'Newer messages')
  root.replaceChildren(scroller, more)
  let following = true
  let shown = ''

  const toEnd = () => {
    scroller.scrollTop = scroller.scrollHeight
    more.hidden = true
  }
  scroller.addEventListener('scroll', () => {
    following = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_END_PX
    if (following) more.hidden = true
  })
  more.addEventListener('click', toEnd)
  // Pictures and players grow after they are added, and the window may change.
  new window.ResizeObserver(() => following && toEnd()).observe(log)
  new window.ResizeObserver(() => following && toEnd()).observe(scroller)

  return (state) => {
    const rows = rowsOf(state)
    const place = `${state.channelId} ${state.actingId}`
    if (place !== shown) following = true
    const before = log.childElementCount
    reconcile(log, rows, { key: (row) => row.key, version: (row) => JSON.stringify([row, state.actingId]), render: (row) => messageRow(row, store) })
    empty.hidden = rows.length > 0
    empty.replaceChildren(...emptyWords(state, store))
    if (following) toEnd()
    else if (log.childElementCount > before) more.hidden = false
    shown = place
  }
}

/** Messages and interactions without one, oldest first, without what is only for others. Pure. */
export function rowsOf({ messages, interactions, channelId, actingId }) {
  const rows = []
  const answered = new Set()
  /** How the acting member's newest press on a message's components went. */
  const pressed = new Map()
  for (const { sourceMessageId, userId, state } of interactions.values()) if (sourceMessageId && userId === actingId) pressed.set(sourceMessageId, state)
  for (const message of messages.values()) {
    if (message.channelId !== channelId) continue
    const source = interactions.get(message.interactionId)
    const first = source && (source.messageIds[0] ?? message.id) === message.id
    if (first) answered.add(source.id)
    if (message.onlyForUserId !== null && message.onlyForUserId !== actingId) continue
    const interaction = first && isCommand(source) ? source : null
    rows.push({ key: interaction ? `i${interaction.id}` : message.id, id: message.id, message, interaction, pressFailed: pressed.get(message.id) === 'failed' })
  }
  for (const interaction of interactions.values()) {
    const mine = interaction.channelId === channelId && interaction.userId === actingId && isCommand(interaction)
    const open = interaction.state !== 'answered' && interaction.messageIds.length === 0
    if (mine && open && !answered.has(interaction.id)) rows.push({ key: `i${interaction.id}`, id: interaction.id, message: null, interaction })
  }
  rows.sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))
  return rows.map((row, at) => ({ ...row, grouped: isGrouped(rows[at - 1], row) }))
}

const isCommand = ({ type }) => type === COMMAND

function isGrouped(before, { message, interaction }) {
  if (!before?.message || !message || interaction || message.replyToId) return false
  const sameVoice = before.message.authorId === message.authorId && before.message.onlyForUserId === message.onlyForUserId
  return sameVoice && message.createdAtMs - before.message.createdAtMs < GROUP_MS
}

function emptyWords(state, store) {
  if (state.connection === 'connecting' && !state.guild) return [h('p', { class: 'loading' }, 'Opening the sandbox…')]
  const name = store.channel(state.channelId)?.name
  if (!name) return [h('h2', {}, 'No text channel here')]
  return [h('h2', {}, `Welcome to #${name}`), h('p', {}, 'Nothing was said yet. Type a message, or “/” to see what the bot can do.')]
}
