import { act } from './connection.js'
import { h } from './element.js'
import { picker } from './picker.js'

const TYPE = { row: 1, button: 2 }
const LINK_STYLE = 5
const STYLES = { 1: 'primary', 2: 'secondary', 3: 'success', 4: 'danger' }

/** A message's buttons and menus; `failed` says that the last press went unanswered. */
export function components(message, store, failed) {
  const rows = message.components.filter(({ type }) => type === TYPE.row)
  if (rows.length === 0) return null
  const problem = h('p', { class: 'problem', role: 'alert' }, failed && 'This interaction failed')
  /** One press at a time. It is not disabled meanwhile, which would take the focus from it. */
  const use = async (control, name, body) => {
    if (control.getAttribute('aria-busy') === 'true') return
    control.setAttribute('aria-busy', 'true')
    problem.textContent = ''
    try {
      await act(name, { userId: store.state.actingId, messageId: message.id, ...body })
    } catch (error) {
      problem.textContent = error.message
    }
    control.removeAttribute('aria-busy')
  }
  const control = (part, place) => {
    const element = part.type === TYPE.button ? button(part, use) : menu(part, store.state.guild, use)
    if (element) element.dataset.at = place
    return element
  }
  const parts = rows.map((row, at) => h('div', { class: 'row' }, row.components.map((part, inRow) => control(part, `${at}.${inRow}`))))
  return h('div', { class: 'components' }, parts, problem)
}

function button(part, use) {
  const label = [part.emoji?.id ? `:${part.emoji.name}:` : part.emoji?.name, part.label].filter(Boolean).join(' ')
  if (part.style === LINK_STYLE) {
    return /^https?:\/\//.test(part.url) && h('a', { class: 'button secondary', href: part.url, target: '_blank', rel: 'noopener noreferrer' }, label)
  }
  const press = (event) => void use(event.currentTarget, 'button', { customId: part.custom_id })
  return h('button', { type: 'button', class: `button ${STYLES[part.style] ?? 'secondary'}`, disabled: part.disabled ?? false, onclick: press }, label)
}

function menu(part, guild, use) {
  const { element, values } = picker(part, guild, part.placeholder ?? 'Menu', () => void use(element, 'select', { customId: part.custom_id, values: values() }))
  return element
}
