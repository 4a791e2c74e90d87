import { h } from './element.js'
import { isolate } from './language.js'

/**
 * Asks before a node is taken from its members, or is the last that can speak. Resolves to whether to go on: at once where nobody would notice.
 */
export function askFirst(act, { label, members, isAlone }, { say }) {
  const isTaken = (act === 'disable' || act === 'drain') && (members !== 0 || isAlone === true)
  if (!isTaken) return Promise.resolve(true)
  const more = [members === null ? say('confirm.membersUnknown') : members > 0 && say(`confirm.${act}.more`, { members }), isAlone === true && say('confirm.alone')].filter(Boolean)
  const dialog = h('dialog', { class: 'confirm', 'aria-labelledby': 'confirm-title', 'aria-describedby': 'confirm-more' },
    h('form', { method: 'dialog' },
      h('h2', { id: 'confirm-title' }, say(`confirm.${act}`, { node: isolate(label) })),
      h('div', { id: 'confirm-more' }, more.map((words) => h('p', {}, words))),
      h('div', { class: 'answers' },
        h('button', { class: 'button secondary', value: 'no', autofocus: true }, say('confirm.cancel')),
        h('button', { class: 'button danger', value: 'yes' }, say(`act.${act}`)))))
  document.body.append(dialog)
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(dialog.returnValue === 'yes')
    })
    dialog.showModal()
  })
}
