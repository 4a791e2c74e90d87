import { act, upload } from './connection.js'
import { h, icon } from './element.js'
import { allowedChannels, TYPE } from './option-value.js'
import { checkOptions } from './command-line.js'
import { isComposing } from './suggestions.js'

const AUTOCOMPLETE_DELAY_MS = 150

/**
 * The options of one command as fields: the required ones at once, the others behind a button with their name.
 * `written` fills them. Read with `check()`: the values to send, or `null` after showing what is wrong and going there.
 */
export function optionFields(entry, written, { store, places, list, onSend, onLeave }) {
  const rows = new Map()
  const hint = h('p', { class: 'hint', id: 'option-hint' }, entry.description)
  const row = h('div', { class: 'options' })
  const extras = h('div', { class: 'extras' })
  const element = h('div', { class: 'fields' }, row, extras, hint)

  const texts = () => Object.fromEntries([...rows].map(([name, { control }]) => [name, control.dataset.value ?? control.value]))
  const label = (option) => [option.label, option.required && h('span', { class: 'required', title: 'required' }, '*')]

  function add(option, text = '') {
    const control = controlFor(option, places)
    if (option.type === TYPE.attachment) control.addEventListener('change', () => void uploadOf(option, control))
    else control.value = text
    control.id = `option-${option.name}`
    const problem = h('span', { class: 'problem', id: `problem-${option.name}`, role: 'alert' })
    control.setAttribute('aria-describedby', `option-hint problem-${option.name}`)
    if (option.required) control.setAttribute('aria-required', 'true')
    const remove = !option.required && h('button', { type: 'button', class: 'remove', 'aria-label': `Remove ${option.label}`, onclick: () => take(option) }, icon('close'))
    const field = h('div', { class: 'field' }, h('label', { for: control.id }, label(option)), control, remove, problem)
    rows.set(option.name, { option, control, problem, field })
    control.addEventListener('focus', () => (hint.textContent = `${option.label}: ${option.description}`))
    control.addEventListener('input', () => {
      delete control.dataset.value
      setProblem(option.name, '')
      if (option.autocomplete) ask(option, control)
    })
    control.addEventListener('keydown', (event) => keydown(event, control))
    control.addEventListener('blur', () => list.hide())
    if (option.autocomplete) control.addEventListener('focus', () => ask(option, control))
    row.append(field)
    drawExtras()
    return control
  }

  function take({ name }) {
    rows.get(name)?.field.remove()
    rows.delete(name)
    drawExtras()
    focus()
  }

  function drawExtras() {
    const missing = entry.options.filter(({ name }) => !rows.has(name))
    extras.replaceChildren(...missing.map((option) =>
      h('button', { type: 'button', class: 'extra', title: option.description, onclick: () => add(option).focus() }, `+ ${option.label}`)))
  }

  /** Uploaded when it is chosen, as Discord's client does: what is sent with the command is its id. */
  async function uploadOf(option, control) {
    const [file] = control.files
    if (file === undefined) return
    try {
      const { actingId: userId, channelId } = store.state
      const id = await upload(file, { userId, channelId })
      if (control.files[0] === file) control.dataset.value = id
    } catch (error) {
      control.value = ''
      setProblem(option.name, error.message)
    }
  }

  function keydown(event, control) {
    if (isComposing(event) || list.handleKey(event)) return
    // Opens the dialog of a file that is still to be chosen.
    if (event.key === 'Enter' && control.type === 'file' && control.files.length === 0) return
    if (event.key === 'Enter') {
      event.preventDefault()
      onSend()
    } else if (event.key === 'Escape' || (event.key === 'Backspace' && control.value === '' && control === row.querySelector('input, select'))) {
      event.preventDefault()
      onLeave()
    }
  }

  let pending = 0
  let asked = 0
  function ask(option, control) {
    clearTimeout(pending)
    const ticket = ++asked
    pending = setTimeout(async () => {
      const { channelId, actingId: userId } = store.state
      const options = { ...checkOptions(entry, texts(), places).values, [option.name]: control.value }
      const { commandName, path } = entry
      const choices = await act('autocomplete', { userId, channelId, commandName, path, options, focused: option.name }).catch(() => [])
      if (ticket !== asked || document.activeElement !== control) return
      const items = (choices ?? []).slice(0, 25).map(({ name, value }) => ({ id: String(value), label: name, value }))
      list.show(items, { input: control, preselect: false, onChoose: (item) => {
        control.value = item.label
        control.dataset.value = String(item.value)
        list.hide()
      } })
    }, AUTOCOMPLETE_DELAY_MS)
  }

  function setProblem(name, text) {
    const shown = rows.get(name)
    if (!shown) return
    shown.problem.textContent = text
    shown.field.classList.toggle('wrong', text !== '')
    if (text === '') shown.control.removeAttribute('aria-invalid')
    else shown.control.setAttribute('aria-invalid', 'true')
  }

  function check() {
    const { values, problems } = checkOptions(entry, texts(), places)
    for (const name of rows.keys()) setProblem(name, problems[name] ?? '')
    const [first] = Object.keys(problems)
    if (first === undefined) return values
    rows.get(first)?.control.focus()
    return null
  }

  const focus = () => (row.querySelector('input, select') ?? extras.querySelector('button'))?.focus()

  for (const option of entry.options) if (option.required || written[option.name] !== undefined) add(option, written[option.name])
  return { element, check, focus, empty: () => rows.size === 0 }
}

function controlFor(option, { members, channels, roles }) {
  const pick = (list) => h('select', {}, h('option', { value: '' }, 'Choose…'), list.map(([value, name]) => h('option', { value }, name)))
  const people = members.map(({ id, name }) => [id, `@${name}`])
  if (option.choices?.length) return pick(option.choices.map(({ name, value }) => [String(value), name]))
  if (option.type === TYPE.boolean) return pick([['true', 'true'], ['false', 'false']])
  if (option.type === TYPE.user) return pick(people)
  if (option.type === TYPE.channel) return pick(allowedChannels(option, channels).map(({ id, name }) => [id, `#${name}`]))
  if (option.type === TYPE.role) return pick(roles.map(({ id, name }) => [id, name]))
  if (option.type === TYPE.mentionable) return pick([...people, ...roles.map(({ id, name }) => [id, name])])
  if (option.type === TYPE.attachment) return h('input', { type: 'file', 'data-wide': true })
  const number = option.type === TYPE.integer || option.type === TYPE.number
  return h('input', { type: 'text', autocomplete: 'off', spellcheck: number ? 'false' : 'true', inputmode: number ? 'decimal' : 'text', 'data-wide': !number,
    ...(option.autocomplete && { role: 'combobox', 'aria-controls': 'suggestions', 'aria-expanded': 'false', 'aria-autocomplete': 'list' }) })
}
