import { h } from './element.js'

const TEXTS = 3

/**
 * A menu as a control: a list for one choice, boxes to tick for several, sent when they are folded up again. `values()` is what is chosen,
 * `onChoose` hears of it.
 */
export function picker(part, guild, name, onChoose = () => {}) {
  const { min_values: min = 1, max_values: max = 1, disabled = false } = part
  const choices = choicesOf(part, guild)
  return max === 1 ? one(choices, { min, disabled, name, placeholder: part.placeholder, onChoose }) : several(choices, { min, max, disabled, name, placeholder: part.placeholder, onChoose })
}

/** What can be chosen: the bot's own words, or what the server has of the kind. The role of everybody is never among it. */
export function choicesOf({ type, options = [], default_values: defaults = [], channel_types: kinds }, guild) {
  if (type === TEXTS) return options.map(({ label, value, description, default: chosen = false }) => ({ label, value, description, chosen }))
  const members = guild.members.map(({ id, name }) => ({ value: id, label: `@${name}` }))
  const roles = guild.roles.filter(({ id }) => id !== guild.id).map(({ id, name }) => ({ value: id, label: `@${name}` }))
  const channels = guild.channels.filter((channel) => kinds?.includes(channel.type) ?? true).map(({ id, name }) => ({ value: id, label: `#${name}` }))
  const offered = { 5: members, 6: roles, 7: [...members, ...roles], 8: channels }[type] ?? []
  return offered.map((choice) => ({ ...choice, chosen: defaults.some(({ id }) => id === choice.value) }))
}

function one(choices, { min, disabled, name, placeholder, onChoose }) {
  const none = !choices.some(({ chosen }) => chosen)
  const element = h('select', { 'aria-label': name, disabled, onchange: () => onChoose() },
    (none || min === 0) && h('option', { value: '', disabled: min > 0, selected: none }, none ? (placeholder ?? 'Choose…') : 'None'),
    choices.map(({ label, value, description, chosen }) => h('option', { value, selected: chosen, title: description }, label)))
  return { element, values: () => (element.value === '' ? [] : [element.value]) }
}

function several(choices, { min, max, disabled, name, placeholder, onChoose }) {
  const boxes = choices.map(({ value, chosen }) => h('input', { type: 'checkbox', value, checked: chosen }))
  const values = () => boxes.filter(({ checked }) => checked).map(({ value }) => value)
  const words = h('span')
  const said = () => choices.filter((_, at) => boxes[at].checked).map(({ label }) => label).join(', ')
  const show = () => {
    words.textContent = said() || (placeholder ?? 'Choose…')
    for (const box of boxes) box.disabled = !box.checked && values().length >= max
  }
  let sent = values().join()
  const summary = h('summary', { 'aria-label': name === placeholder ? null : name }, words)
  const list = h('fieldset', {}, h('legend', { class: 'sr' }, name),
    choices.map(({ label, description }, at) => h('label', {}, boxes[at], h('span', {}, label, description && h('small', {}, description)))),
    h('button', { type: 'button', class: 'button primary', onclick: () => fold() }, 'Done'))
  const element = h('details', { class: 'choices' }, summary, list)
  const fold = () => {
    element.open = false
    summary.focus()
  }
  if (disabled) summary.addEventListener('click', (event) => event.preventDefault())
  if (disabled) summary.setAttribute('aria-disabled', 'true')
  element.addEventListener('change', show)
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !element.open) return
    event.stopPropagation()
    event.preventDefault()
    fold()
  })
  element.addEventListener('focusout', (event) => {
    if (event.relatedTarget && !element.contains(event.relatedTarget)) element.open = false
  })
  element.addEventListener('toggle', () => {
    if (element.open || values().join() === sent || values().length < min) return
    sent = values().join()
    onChoose()
  })
  show()
  return { element, values }
}
