import { h, icon } from './element.js'
import { recall, remember } from './language.js'

const THEME = 'voxpool.theme'
const dark = matchMedia('(prefers-color-scheme: dark)')

/** What was chosen, as long as it is not what the system wishes anyway. */
let chosen = recall(THEME)
const listeners = new Set()

const current = () => (chosen === 'light' || chosen === 'dark' ? chosen : dark.matches ? 'dark' : 'light')

function apply() {
  document.documentElement.dataset.theme = current()
  for (const listener of listeners) listener()
}

dark.addEventListener('change', apply)
// Paper is light: see the theme.
matchMedia('print').addEventListener('change', apply)
apply()

/** Hears of every change of the colours, until the returned function is called. */
export function onAppearance(listener) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The button that turns light into dark and back. Back at what the system wishes, the page follows the system again. */
export function appearanceButton({ say }) {
  const button = h('button', { type: 'button', class: 'round', onclick: toggle })
  const show = () => {
    const isDark = current() === 'dark'
    button.setAttribute('aria-label', say(isDark ? 'page.light' : 'page.dark'))
    button.replaceChildren(icon(isDark ? 'sun' : 'moon'))
  }
  show()
  return { element: button, end: onAppearance(show) }
}

function toggle() {
  const next = current() === 'dark' ? 'light' : 'dark'
  chosen = next === (dark.matches ? 'dark' : 'light') ? null : next
  remember(THEME, chosen)
  apply()
}
