import { h, icon } from './element.js'

const THEME = 'voxpool.theme'

/** The button that turns light into dark and back; until it is pressed the system's wish counts. */
export function appearance() {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const current = () => localStorage.getItem(THEME) ?? (dark.matches ? 'dark' : 'light')
  const button = h('button', { type: 'button', class: 'round', 'data-testid': 'theme' })
  const show = () => {
    const theme = current()
    document.documentElement.dataset.theme = theme
    button.setAttribute('aria-label', theme === 'dark' ? 'Light appearance' : 'Dark appearance')
    button.replaceChildren(icon(theme === 'dark' ? 'sun' : 'moon'))
  }
  button.addEventListener('click', () => {
    localStorage.setItem(THEME, current() === 'dark' ? 'light' : 'dark')
    show()
  })
  dark.addEventListener('change', show)
  show()
  return button
}
