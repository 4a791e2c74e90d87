import { h } from './element.js'

/**
 * A list of suggestions over an input, by the combobox pattern: focus stays in the input, which names the active option.
 * Items are `{id, label, detail, mark?}`; `onChoose(item, key)` is called on click, Enter or Tab.
 */
export function suggestions(root) {
  let items = []
  let active = -1
  let input = null
  let choose = () => {}

  const draw = () => {
    root.hidden = items.length === 0
    root.replaceChildren(...items.map((item, at) => {
      const option = h('li', { role: 'option', id: `${root.id}-${at}`, 'aria-selected': String(at === active), 'data-testid': 'suggestion' },
        h('span', { class: 'label' }, item.label), item.detail && h('span', { class: 'detail' }, item.detail))
      // Before the input loses its focus.
      option.addEventListener('pointerdown', (event) => event.preventDefault())
      option.addEventListener('click', () => choose(item, 'click'))
      return option
    }))
    root.children[active]?.scrollIntoView({ block: 'nearest' })
    input?.setAttribute('aria-expanded', String(!root.hidden))
    if (root.hidden || active < 0) input?.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', `${root.id}-${active}`)
  }

  const hide = () => {
    items = []
    active = -1
    draw()
    input = null
  }

  return {
    hide,
    isOpen: () => items.length > 0,
    active: () => items[active],
    show(list, options) {
      if (input !== options.input) input?.setAttribute('aria-expanded', 'false')
      const before = items[active]?.id
      items = list
      input = options.input
      choose = options.onChoose
      active = Math.max(options.preselect === false ? -1 : 0, list.findIndex(({ id }) => id === before))
      draw()
    },
    /** Whether the key was one for the list. Enter and Tab choose only when something is active. */
    handleKey(event) {
      if (items.length === 0) return false
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        active = (active + (event.key === 'ArrowDown' ? 1 : -1) + items.length) % items.length
        draw()
      } else if (event.key === 'Escape') hide()
      else if ((event.key === 'Enter' || event.key === 'Tab') && active >= 0 && !event.shiftKey) choose(items[active], event.key)
      else return false
      event.preventDefault()
      return true
    }
  }
}

/** Enter that ends the composing of Japanese or Korean is no Enter; Safari says so only by the old key code. */
export const isComposing = (event) => event.isComposing || event.keyCode === 229
