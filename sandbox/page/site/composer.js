import { checkOptions, parseCommandLine } from './command-line.js'
import { commandEntries } from './command-entries.js'
import { act } from './connection.js'
import { h, icon } from './element.js'
import { optionFields } from './option-fields.js'
import { isComposing, suggestions } from './suggestions.js'

const MESSAGE_MAX = 2000
const NO_COMMANDS = 'No slash commands yet: the bot is not there, or has not registered any.'

/**
 * Where one writes: a message, or a slash command, either as one line (`/say Hello`, `/say text:Hello voice:auto`) or, once it was
 * chosen from the list, with its options as fields. Returns what redraws it and what fills it.
 */
export function composer(root, store) {
  const input = h('textarea', {
    id: 'composer-input', rows: 1, 'data-testid': 'composer', autocomplete: 'off', 'aria-label': 'Message', role: 'combobox', 'aria-expanded': 'false',
    'aria-controls': 'suggestions', 'aria-autocomplete': 'list', 'aria-haspopup': 'listbox'
  })
  const popup = h('ul', { id: 'suggestions', class: 'suggestions', role: 'listbox', 'aria-label': 'Suggestions', hidden: true })
  const usage = h('p', { class: 'usage', hidden: true })
  const problem = h('p', { class: 'problem', role: 'alert', 'data-testid': 'composer-problem' })
  const send = h('button', { type: 'submit', class: 'send', 'aria-label': 'Send', 'data-testid': 'send' }, icon('send'))
  const space = h('div', { class: 'space' }, input)
  const form = h('form', { class: 'composer', onsubmit: (event) => event.preventDefault() }, space, send)
  root.replaceChildren(popup, usage, form, problem)
  const list = suggestions(popup)
  let fields = null
  let lastSent = ''
  let known = store.state.commands

  const entries = () => commandEntries(store.state.commands, store.state.guild?.id, store.acting())
  const places = () => {
    const { members = [], channels = [], roles = [] } = store.state.guild ?? {}
    return { members, channels, roles }
  }

  function typed() {
    problem.textContent = ''
    const text = input.value
    const parsed = parseCommandLine(text, entries())
    // A name of two words may still be going on behind the first.
    const beyondName = parsed && text.length > parsed.entry.label.length + 1
    const matches = text.startsWith('/') && !beyondName ? entries().filter((entry) => matchesName(entry, text.slice(1))) : []
    if (text.startsWith('/') && entries().length === 0) problem.textContent = NO_COMMANDS
    list.show(matches.map((entry) => ({ id: entry.name, label: `/${entry.label}`, detail: entry.description, entry })), { input, onChoose: chosen })
    usage.hidden = !beyondName || parsed.entry.options.length === 0
    if (!usage.hidden) usage.replaceChildren(...usageOf(parsed.entry))
  }

  function chosen({ entry }, key) {
    const complete = input.value.trim().toLowerCase() === `/${entry.label}`.toLowerCase()
    const needs = entry.options.some(({ required }) => required)
    if (key === 'Enter' && complete && !needs) return void submit()
    if (entry.options.length > 0) return openFields(entry, {})
    input.value = `/${entry.label}`
    list.hide()
    input.focus()
  }

  function openFields(entry, written) {
    list.hide()
    usage.hidden = true
    const leave = () => {
      closeFields()
      input.value = `/${entry.label}`
      input.focus()
      typed()
    }
    const chip = h('button', { type: 'button', class: 'chip', title: 'Back to the message', onclick: leave }, `/${entry.label}`)
    const made = optionFields(entry, written, { store, places: places(), list, onSend: () => void submit(), onLeave: leave })
    fields = { entry, ...made }
    space.replaceChildren(chip, made.element)
    made.focus()
    return made
  }

  function closeFields() {
    fields = null
    list.hide()
    space.replaceChildren(input)
  }

  async function submit() {
    problem.textContent = ''
    const task = fields ? fieldsTask() : lineTask()
    if (!task || send.disabled) return
    send.disabled = true
    try {
      await act(task.name, { userId: store.state.actingId, channelId: store.state.channelId, ...task.body })
      lastSent = task.line
      closeFields()
      input.value = ''
      typed()
      grow()
    } catch (error) {
      problem.textContent = error.message
    }
    send.disabled = false
    if (!fields) input.focus()
  }

  function fieldsTask() {
    const options = fields.check()
    const { commandName, path, label } = fields.entry
    return options && { name: 'slash', line: `/${label}`, body: { commandName, path, options } }
  }

  function lineTask() {
    const content = input.value.trim()
    if (content === '') return null
    const parsed = parseCommandLine(content, entries())
    if (!parsed) return content.startsWith('/') ? unknownCommand(content) : messageTask(content)
    const { values, problems } = checkOptions(parsed.entry, parsed.written, places())
    if (Object.keys(problems).length > 0) {
      openFields(parsed.entry, parsed.written).check()
      return null
    }
    return { name: 'slash', line: content, body: { commandName: parsed.entry.commandName, path: parsed.entry.path, options: values } }
  }

  function unknownCommand(content) {
    problem.textContent = entries().length === 0 ? NO_COMMANDS : `There is no command ${content.split(/\s/)[0]} here.`
    return null
  }

  function messageTask(content) {
    if (content.length <= MESSAGE_MAX) return { name: 'message', line: content, body: { content } }
    problem.textContent = `At most ${MESSAGE_MAX} characters; this has ${content.length}.`
    return null
  }

  const grow = () => {
    input.style.height = 'auto'
    input.style.height = `${Math.min(input.scrollHeight, 160)}px`
  }
  input.addEventListener('input', () => {
    typed()
    grow()
  })
  input.addEventListener('blur', () => list.hide())
  input.addEventListener('keydown', (event) => {
    if (isComposing(event) || list.handleKey(event)) return
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      void submit()
    } else if (event.key === 'ArrowUp' && input.value === '' && lastSent !== '') {
      event.preventDefault()
      input.value = lastSent
      typed()
    }
  })
  send.addEventListener('click', () => void submit())

  return {
    update(state) {
      const channel = store.channel(state.channelId)
      const ready = state.connection === 'live' && channel !== null
      input.disabled = !ready
      // Whoever typed the slash before the bot was there gets its commands as they come.
      if (known !== state.commands && !fields && input.value.startsWith('/')) typed()
      known = state.commands
      input.placeholder = ready ? `Message #${channel.name}, or / for commands` : 'Connecting…'
    },
    fill(text) {
      closeFields()
      input.value = text
      typed()
      grow()
      input.focus()
    }
  }
}

function matchesName({ label, name }, text) {
  const wanted = text.trim().toLowerCase()
  return [label, name].some((known) => known.toLowerCase().startsWith(wanted))
}

const usageOf = ({ label, options }) => [
  h('b', {}, `/${label}`),
  ...options.map(({ label: name, required, description }) => h('span', { title: description }, ` ${name}${required ? '*' : '?'}`)),
  h('span', { class: 'keys' }, ' Enter sends · name: sets an option')
]
