import { h } from './element.js'
import { richText } from './rich-text.js'

/** An embed: author, title, description, fields, footer, and its colour at the edge. Pictures from elsewhere are not loaded. */
export function embed(data, store) {
  const color = Number.isInteger(data.color) ? `#${data.color.toString(16).padStart(6, '0')}` : null
  const title = data.title && richText(data.title, store)
  return h('section', { class: 'embed', 'data-testid': 'embed', style: color ? { '--edge': color } : {} },
    data.author?.name && h('p', { class: 'embed-author' }, data.author.name),
    title && h('h3', {}, isLink(data.url) ? h('a', { href: data.url, target: '_blank', rel: 'noopener noreferrer' }, title) : title),
    data.description && h('div', { class: 'text' }, richText(data.description, store)),
    data.fields?.length > 0 && h('dl', {}, data.fields.map((field) =>
      h('div', { class: field.inline ? 'inline' : 'wide' }, h('dt', {}, richText(field.name, store)), h('dd', {}, richText(field.value, store))))),
    data.footer?.text && h('p', { class: 'embed-footer' }, data.footer.text))
}

const isLink = (url) => /^https?:\/\//.test(url ?? '')
