import { menuEntries } from './command-entries.js'
import { act } from './connection.js'
import { h } from './element.js'

/** The "Apps" menu of a message, with what the bot registered for messages. It is read anew whenever it opens. */
export function messageMenu(message, store) {
  const list = h('div', { class: 'apps-list' })
  const menu = h('details', { class: 'apps', 'data-testid': 'message-menu' }, h('summary', { 'aria-label': 'Apps', title: 'Apps' }, '⋯'), list)

  const use = (name) => async () => {
    try {
      await act('menu', { userId: store.state.actingId, messageId: message.id, name })
      menu.open = false
    } catch (error) {
      list.replaceChildren(h('p', { class: 'problem', role: 'alert' }, error.message))
    }
  }
  menu.addEventListener('toggle', () => {
    if (!menu.open) return
    const entries = menuEntries(store.state.commands, store.state.guild?.id, store.acting())
    const buttons = entries.map(({ name, label }) => h('button', { type: 'button', 'data-testid': 'message-menu-entry', onclick: use(name) }, label))
    list.replaceChildren(...(buttons.length > 0 ? buttons : [h('p', {}, 'No apps for messages')]))
  })
  menu.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget !== null && !menu.contains(relatedTarget)) menu.open = false
  })
  return menu
}
