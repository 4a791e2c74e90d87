import { attachment } from './attachment.js'
import { components } from './components.js'
import { avatar, h, icon } from './element.js'
import { embed } from './embed.js'
import { messageMenu } from './message-menu.js'
import { richText } from './rich-text.js'

const LOADING = 1 << 7

/**
 * One row of the timeline: a message, or an interaction that has no message yet (sent, thinking, failed).
 * `row` is `{message, interaction, grouped, pressFailed}`, of which either of the first two may be null.
 */
export function messageRow({ message, interaction, grouped, pressFailed }, store) {
  const { application, actingId } = store.state
  const author = store.member(message?.authorId ?? application.id) ?? { name: application.name, bot: true }
  const atMs = message?.createdAtMs ?? interaction.createdAtMs
  const ephemeral = message ? message.onlyForUserId !== null : interaction.ephemeral
  const mentioned = message?.mentionedUserIds.includes(actingId)
  const classes = ['message', grouped && 'grouped', ephemeral && 'ephemeral', mentioned && 'mentions-you', author.bot && 'by-bot']

  return h('article', { class: classes.filter(Boolean).join(' '), 'data-testid': 'message', 'data-author': author.name, 'data-state': interaction?.state ?? null },
    interaction && usedCommand(interaction, store),
    message?.replyToId && replied(message.replyToId, store),
    grouped ? h('time', { class: 'aside', datetime: new Date(atMs).toISOString() }, shortTime(atMs)) : avatar(author),
    h('div', { class: 'body' },
      !grouped && h('header', {},
        h('span', { class: 'author', style: { '--who': author.color ?? 'inherit' } }, author.name),
        author.bot && h('span', { class: 'tag' }, 'APP'),
        h('time', { datetime: new Date(atMs).toISOString(), title: new Date(atMs).toLocaleString() }, shortTime(atMs))),
      message && (message.flags & LOADING) === 0 ? content(message, store, pressFailed) : pending(interaction, author),
      ephemeral && h('footer', { class: 'only-you' }, icon('eye'), 'Only you can see this')),
    message && (message.flags & LOADING) === 0 && messageMenu(message, store)
  )
}

function content(message, store, pressFailed) {
  return [
    message.content !== '' && h('div', { class: 'text', 'data-testid': 'message-text' }, richText(message.content, store),
      message.editedAtMs !== null && h('small', { class: 'edited', title: new Date(message.editedAtMs).toLocaleString() }, ' (edited)')),
    message.attachments.map((file) => attachment(file)),
    message.embeds.map((data) => embed(data, store)),
    components(message, store, pressFailed)
  ]
}

function pending(interaction, author) {
  if (interaction?.state === 'failed') return h('p', { class: 'failed', 'data-testid': 'interaction-failed' }, 'The application did not respond')
  const words = interaction?.state === 'waiting' ? `Sending to ${author.name}…` : `${author.name} is thinking…`
  return h('p', { class: 'thinking', 'data-testid': 'thinking' }, h('span', { class: 'dots', 'aria-hidden': 'true' }, h('i'), h('i'), h('i')), words)
}

function usedCommand({ userId, display }, store) {
  const user = store.member(userId)
  return h('div', { class: 'used' }, avatar(user, 'tiny'), h('span', { class: 'author', style: { '--who': user?.color ?? 'inherit' } }, user?.name ?? 'Somebody'),
    ' used ', h('span', { class: 'mention' }, display))
}

function replied(id, store) {
  const message = store.state.messages.get(id)
  if (!message) return h('div', { class: 'used' }, 'The original message is gone')
  const author = store.member(message.authorId)
  return h('div', { class: 'used' }, avatar(author, 'tiny'), h('span', { class: 'author' }, author?.name ?? 'Somebody'), ' ', message.content.slice(0, 80) || 'a message')
}

const shortTime = (atMs) => new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }).format(new Date(atMs))
