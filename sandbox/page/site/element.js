/**
 * Builds an element. Text becomes text nodes, never markup; `on…` are listeners, `style` is a record of CSS properties,
 * `true` and `false` set and leave out attributes.
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(props)) setProp(element, name, value)
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false))
  return element
}

function setProp(element, name, value) {
  if (value === null || value === undefined || value === false) return
  if (name.startsWith('on')) element.addEventListener(name.slice(2), value)
  else if (name === 'style') for (const [property, text] of Object.entries(value)) element.style.setProperty(property, text)
  else if (name === 'value' || name === 'checked') element[name] = value
  else element.setAttribute(name, value === true ? '' : String(value))
}

const PATHS = {
  hash: 'M9 4 7 20M17 4l-2 16M4 9h17M3 15h17',
  speaker: 'M4 9.5v5h3.5L13 19V5L7.5 9.5zM16.5 9a4.2 4.2 0 0 1 0 6M19 6.5a8 8 0 0 1 0 11',
  stage: 'M12 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM6 19c.7-2.6 3-4 6-4s5.3 1.4 6 4M5.5 13a7.5 7.5 0 1 1 13 0',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6 6 18',
  send: 'M5 12h13M12.5 6l6 6-6 6',
  play: 'M8 5.5v13l10.5-6.5z',
  pause: 'M8 5.5v13M16 5.5v13',
  moon: 'M19 14.5A7.5 7.5 0 0 1 9.5 5a7.5 7.5 0 1 0 9.5 9.5z',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M18.4 5.6l-1.1 1.1M6.7 17.3l-1.1 1.1',
  muted: 'M4 9.5v5h3.5L13 19V5L7.5 9.5zM17 9.5l4.5 5M21.5 9.5l-4.5 5',
  file: 'M7 3.5h7l4 4v13H7zM13.5 3.5v4.5H18',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  eye: 'M3 12s3.5-6 9-6 9 6 9 6-3.5 6-9 6-9-6-9-6zM12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  down: 'M12 5v13M6 12.5l6 6 6-6'
}

/** A line icon of 24 by 24 units in the text's colour; decoration only, so the button around it carries the label. */
export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  for (const [key, value] of Object.entries({ viewBox: '0 0 24 24', class: `icon icon-${name}`, 'aria-hidden': 'true' })) svg.setAttribute(key, value)
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('d', PATHS[name])
  svg.append(path)
  return svg
}

/** A member's initials on their colour. */
export function avatar(member, size = '') {
  const initials = [...(member?.name ?? '?').trim()].slice(0, 1).join('').toUpperCase()
  return h('span', { class: `avatar ${size}`, 'aria-hidden': 'true', style: { '--who': member?.color ?? '#7a8a8f' } }, initials)
}

/** The control in the same place of a message, or else its first button. */
function focusIn(element, at) {
  const control = at && element.querySelector(`[data-at="${at}"]`)
  const first = element.matches('button') ? element : element.querySelector('button')
  ;(control?.querySelector('summary') ?? control ?? first)?.focus()
}

/**
 * Makes the parent's children match the items, keeping every element whose version is unchanged: players go on playing and
 * focus stays where it is. `render(item)` makes one element; `key` and `version` return text.
 */
export function reconcile(parent, items, { key, version, render }) {
  const old = new Map([...parent.children].map((element) => [element.dataset.key, element]))
  let cursor = parent.firstElementChild
  for (const item of items) {
    const itemKey = key(item)
    const itemVersion = version(item)
    let element = old.get(itemKey)
    old.delete(itemKey)
    if (!element || element.dataset.version !== itemVersion) {
      const fresh = render(item)
      fresh.dataset.key = itemKey
      fresh.dataset.version = itemVersion
      if (element) {
        const hadFocus = element.contains(document.activeElement)
        const at = hadFocus && document.activeElement.closest('[data-at]')?.dataset.at
        if (cursor === element) cursor = fresh
        element.replaceWith(fresh)
        if (hadFocus) focusIn(fresh, at)
      }
      element = fresh
    }
    if (element === cursor) cursor = cursor.nextElementSibling
    else parent.insertBefore(element, cursor)
  }
  for (const element of old.values()) element.remove()
}
