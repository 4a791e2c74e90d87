import { act } from './connection.js'
import { h } from './element.js'
import { picker } from './picker.js'

const TYPE = { row: 1, text: 4, words: 10 }
const PARAGRAPH = 2

/** Forms that the bot answers the acting member with. Returns what looks for a new one; one from before the page was opened is not shown. */
export function forms(store) {
  const openedAtMs = Date.now()
  const seen = new Set()
  return ({ interactions, actingId }) => {
    for (const { id, form, userId, createdAtMs } of interactions.values()) {
      if (!form || seen.has(id) || userId !== actingId || createdAtMs < openedAtMs) continue
      seen.add(id)
      show(id, form, store)
    }
  }
}

function show(interactionId, form, store) {
  const parts = form.components.map((part) => (part.type === TYPE.words ? h('p', {}, part.content) : field(part, store.state.guild)))
  const fields = parts.filter(({ read }) => read)
  const problem = h('p', { class: 'problem', role: 'alert' })
  const send = h('button', { type: 'submit', class: 'button primary' }, 'Submit')
  const close = () => {
    dialog.close()
    dialog.remove()
  }
  const submit = async (event) => {
    event.preventDefault()
    send.disabled = true
    try {
      await act('form', { interactionId, answers: Object.fromEntries(fields.map(({ id, read }) => [id, read()])) })
      close()
    } catch (error) {
      problem.textContent = error.message
      send.disabled = false
    }
  }
  const dialog = h('dialog', { class: 'form', 'aria-labelledby': 'form-title' },
    h('form', { onsubmit: submit },
      h('h2', { id: 'form-title' }, form.title),
      parts.map((part) => part.element ?? part),
      problem,
      h('div', { class: 'actions' }, h('button', { type: 'button', class: 'button secondary', onclick: close }, 'Cancel'), send)))
  dialog.addEventListener('cancel', close)
  document.body.append(dialog)
  dialog.showModal()
  dialog.querySelector('input, textarea, select, summary')?.focus()
}

/** A label with what it is of; older forms have a row in its place, and the words on the input itself. */
function field(part, guild) {
  const input = part.type === TYPE.row ? part.components[0] : part.component
  const { custom_id: id, required = true } = input
  const words = part.label ?? input.label ?? ''
  const control = input.type === TYPE.text ? textControl(input) : picker({ ...input, ...(required ? {} : { min_values: 0 }) }, guild, words)
  control.element.id = `form-${id}`
  const hint = part.description && h('small', { id: `form-hint-${id}` }, part.description)
  if (hint) control.element.setAttribute('aria-describedby', hint.id)
  const name = h('label', { for: control.element.id }, words, required && h('span', { class: 'required', title: 'required' }, ' *'))
  return { id, read: control.read ?? control.values, element: h('div', { class: 'form-field' }, name, hint, control.element) }
}

function textControl({ style, value = '', placeholder, required = true, min_length: minlength, max_length: maxlength = 4000 }) {
  const long = style === PARAGRAPH
  const element = h(long ? 'textarea' : 'input', { ...(long ? { rows: 4 } : { type: 'text', autocomplete: 'off' }), placeholder, required, minlength, maxlength, value })
  return { element, read: () => element.value }
}
