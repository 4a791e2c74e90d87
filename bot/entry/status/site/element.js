/** Builds an element. Text becomes text nodes, never markup; `on…` are listeners, `style` is a record of CSS properties, `true` and `false` set and leave out attributes. */
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
  else if (name === 'value') element.value = value
  else element.setAttribute(name, value === true ? '' : String(value))
}

/** Says it only where it is new: what is told again would be read out again, and a selection lost. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text
}

/** The same for a sentence in which what stands between backticks is to be typed. */
export function setSentence(element, text) {
  if (element.dataset.said === text) return
  element.dataset.said = text
  element.replaceChildren(...text.split('`').map((part, at) => (at % 2 === 1 ? h('code', {}, part) : part)))
}

/** @param value undefined or false: without the attribute */
export function setAttribute(element, name, value) {
  if (value === undefined || value === false) element.removeAttribute(name)
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value === true ? '' : String(value))
}

/** Hides it or shows it. A focus in what is hidden would be lost: it goes on at `next`. */
export function setHidden(element, isHidden, next) {
  const hasFocus = isHidden && element.contains(document.activeElement)
  element.hidden = isHidden
  if (hasFocus) next.focus({ preventScroll: true })
}

const PATHS = {
  check: 'M5 12.5l4.5 4.5L19 7.5',
  cross: 'M6.5 6.5l11 11M17.5 6.5l-11 11',
  wave: 'M3.5 13c1.7-4 3.9-4 5.7-1s4 3 5.6 0 3.9-3 5.7 1',
  clock: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM12 7.5V12l3 2',
  out: 'M4 12h12M11.5 7l5 5-5 5M20 5v14',
  minus: 'M6 12h12',
  unlink: 'M9.5 14.5l5-5M8 11l-2.5 2.5a3.5 3.5 0 0 0 5 5L13 16M11 8l2.5-2.5a3.5 3.5 0 0 1 5 5L16 13',
  dots: 'M6 12h.01M12 12h.01M18 12h.01',
  question: 'M9 9.2a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5h.01',
  alert: 'M12 4.5 21 19.5H3zM12 10v4.5M12 17h.01',
  moon: 'M19 14.5A7.5 7.5 0 0 1 9.5 5a7.5 7.5 0 1 0 9.5 9.5z',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M18.4 5.6l-1.1 1.1M6.7 17.3l-1.1 1.1'
}

/** A line icon of 24 by 24 units in the text's colour; decoration only, so the words beside it say the same. */
export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  for (const [key, value] of Object.entries({ viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' })) svg.setAttribute(key, value)
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('d', PATHS[name] ?? PATHS.question)
  svg.append(path)
  return svg
}

/**
 * Keeps one view (`{ element, update(item) }`) for each item, in the items' order, so that focus, selections and open parts stay where they are.
 * The returned function takes the items as they are now.
 */
export function eachOf(parent, { key, create }) {
  const views = new Map()
  return (items, ...more) => {
    const wanted = new Set(items.map(key))
    for (const [each, view] of views) {
      if (wanted.has(each)) continue
      view.element.remove()
      views.delete(each)
    }
    let cursor = parent.firstElementChild
    for (const item of items) {
      const view = views.get(key(item)) ?? create(item)
      views.set(key(item), view)
      view.update?.(item, ...more)
      if (view.element === cursor) cursor = cursor.nextElementSibling
      else place(parent, view.element, cursor)
    }
  }
}

/** A move takes the focus from what is moved, unless the browser can move without. */
function place(parent, element, before) {
  if (element.parentNode !== parent) parent.insertBefore(element, before)
  else if (parent.moveBefore) parent.moveBefore(element, before)
  else {
    const focused = document.activeElement
    parent.insertBefore(element, before)
    if (element.contains(focused)) focused.focus({ preventScroll: true })
  }
}
