import { eachOf, h, setText } from './element.js'
import { isolate } from './language.js'

/**
 * Asks before a node is taken from its members, or is the last that can speak. Resolves to whether to go on: at once where nobody would notice.
 * What it says follows the newest snapshot; it closes when the node has left, or the session is over.
 */
export function askFirst(act, node, { say }, store) {
  const isTaken = (act === 'disable' || act === 'drain') && (node.members !== 0 || node.isAlone === true)
  if (!isTaken) return Promise.resolve(true)
  const title = h('h2', { id: 'confirm-title' })
  const more = h('div', { id: 'confirm-more', 'aria-live': 'polite' })
  const dialog = h('dialog', { class: 'confirm', 'aria-labelledby': 'confirm-title', 'aria-describedby': 'confirm-more' },
    h('form', { method: 'dialog' },
      title,
      more,
      h('div', { class: 'answers' },
        h('button', { class: 'button secondary', value: 'no', autofocus: true }, say('confirm.cancel')),
        h('button', { class: 'button danger', value: 'yes' }, say(`act.${act}`)))))
  const each = eachOf(more, { key: (words) => words, create: (words) => ({ element: h('p', {}, words) }) })

  function follow({ snapshot, admin }) {
    const now = snapshot.nodes.find(({ id }) => id === node.id)
    if (now === undefined || !admin.isAdmin) return dialog.close()
    setText(title, say(`confirm.${act}`, { node: isolate(now.label) }))
    each(wordsOf(act, now, say))
  }

  follow(store.state)
  document.body.append(dialog)
  const unfollow = store.subscribe(follow)
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      unfollow()
      dialog.remove()
      // The button that was pressed may have gone meanwhile.
      if (document.activeElement === document.body) document.getElementById('status').focus({ preventScroll: true })
      resolve(dialog.returnValue === 'yes')
    })
    dialog.showModal()
  })
}

function wordsOf(act, { members, isAlone }, say) {
  return [members === null ? say('confirm.membersUnknown') : members > 0 && say(`confirm.${act}.more`, { members }), isAlone === true && say('confirm.alone')].filter(Boolean)
}
