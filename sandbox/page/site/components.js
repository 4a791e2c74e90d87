import { act } from './connection.js'
import { h } from './element.js'

const TYPE = { row: 1, button: 2, select: 3 }
const LINK_STYLE = 5
const STYLES = { 1: 'primary', 2: 'secondary', 3: 'success', 4: 'danger' }

/** A message's buttons and menus; `failed` says that the last press went unanswered. Menus of members or channels are shown, not used. */
export function components(message, store, failed) {
  const rows = message.components.filter(({ type }) => type === TYPE.row)
  if (rows.length === 0) return null
  const problem = h('p', { class: 'problem', role: 'alert' }, failed && 'This interaction failed')
  const use = (name, body) => async (event) => {
    const control = event.currentTarget
    control.disabled = true
    problem.textContent = ''
    try {
      await act(name, { userId: store.state.actingId, messageId: message.id, ...body(control) })
    } catch (error) {
      problem.textContent = error.message
    }
    control.disabled = false
  }
  const parts = rows.map((row) => h('div', { class: 'row' }, row.components.map((part) => (part.type === TYPE.button ? button(part, use) : menu(part, use)))))
  return h('div', { class: 'components' }, parts, problem)
}

function button(part, use) {
  const label = [part.emoji?.id ? `:${part.emoji.name}:` : part.emoji?.name, part.label].filter(Boolean).join(' ')
  if (part.style === LINK_STYLE) {
    return /^https?:\/\//.test(part.url) && h('a', { class: 'button secondary', href: part.url, target: '_blank', rel: 'noopener noreferrer' }, label)
  }
  const press = use('button', () => ({ customId: part.custom_id }))
  return h('button', { type: 'button', class: `button ${STYLES[part.style] ?? 'secondary'}`, disabled: part.disabled ?? false, onclick: press }, label)
}

function menu(part, use) {
  const options = (part.options ?? []).map(({ label, value, default: chosen }) => h('option', { value, selected: chosen ?? false }, label))
  const choose = use('select', (control) => ({ customId: part.custom_id, values: [control.value] }))
  return h('select', { 'aria-label': part.placeholder ?? 'Menu', disabled: part.disabled || part.type !== TYPE.select, onchange: choose },
    h('option', { value: '', disabled: true, selected: !part.options?.some((option) => option.default) }, part.placeholder ?? 'Choose…'), options)
}
