import { h } from './element.js'
import { parseMarkdown } from './markdown.js'

const TAGS = {
  strong: 'strong', emphasis: 'em', underline: 'u', strike: 's', quote: 'blockquote', heading: 'h3', small: 'small', item: 'li'
}
const TIME_STYLES = {
  t: { timeStyle: 'short' }, T: { timeStyle: 'medium' }, d: { dateStyle: 'short' }, D: { dateStyle: 'long' },
  f: { dateStyle: 'long', timeStyle: 'short' }, F: { dateStyle: 'full', timeStyle: 'short' }
}

/** A message's text as elements: bold, code, links, mentions by name. `store` knows the names. */
export function richText(text, store) {
  return parseMarkdown(text).map((node) => render(node, store))
}

function render(node, store) {
  const children = () => node.children.map((child) => render(child, store))
  switch (node.type) {
    case 'text':
      return node.text
    case 'code':
      return h('code', {}, node.text)
    case 'codeBlock':
      return h('pre', { tabindex: 0 }, h('code', {}, node.text))
    case 'link':
      return h('a', { href: node.url, target: '_blank', rel: 'noopener noreferrer nofollow' }, node.text)
    case 'user':
      return h('span', { class: 'mention' }, `@${store.member(node.id)?.name ?? 'unknown-user'}`)
    case 'role':
      return h('span', { class: 'mention' }, `@${store.state.guild?.roles.find(({ id }) => id === node.id)?.name ?? 'deleted-role'}`)
    case 'channel':
      return h('span', { class: 'mention' }, `#${store.channel(node.id)?.name ?? 'unknown'}`)
    case 'everyone':
    case 'command':
      return h('span', { class: 'mention' }, node.text)
    case 'emoji':
      return h('span', { class: 'emoji', title: 'Custom emoji' }, node.text)
    case 'time':
      return timeElement(node)
    case 'spoiler':
      return spoiler(children())
    default:
      return h(TAGS[node.type], {}, children())
  }
}

function spoiler(children) {
  const button = h('button', { type: 'button', class: 'spoiler', 'aria-label': 'Spoiler, show', 'aria-expanded': 'false' }, h('span', {}, children))
  button.addEventListener('click', () => {
    button.classList.add('shown')
    button.removeAttribute('aria-label')
    button.setAttribute('aria-expanded', 'true')
  })
  return button
}

function timeElement({ atMs, style }) {
  const date = new Date(atMs)
  if (Number.isNaN(date.getTime())) return h('span', {}, 'Invalid time')
  const text = style === 'R' ? relative(atMs - Date.now()) : new Intl.DateTimeFormat(undefined, TIME_STYLES[style]).format(date)
  return h('time', { datetime: date.toISOString(), title: date.toLocaleString() }, text)
}

function relative(differenceMs) {
  const steps = [['day', 86_400_000], ['hour', 3_600_000], ['minute', 60_000], ['second', 1000]]
  const [unit, sizeMs] = steps.find(([, size]) => Math.abs(differenceMs) >= size) ?? ['second', 1000]
  return new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' }).format(Math.round(differenceMs / sizeMs), unit)
}
