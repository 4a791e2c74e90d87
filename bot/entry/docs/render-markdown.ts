import { Marked } from 'marked'
import type { RendererObject, RendererThis, Token, Tokens } from 'marked'
import { PAGES, pageAddressOf } from './contents.ts'
import { escapeHtml } from './escape.ts'
import { fileOf, targetOf } from './links.ts'
import { createSlugs } from './slugs.ts'

export interface Heading {
  level: number
  /** The section's name in an address. */
  slug: string
  text: string
}

export interface RenderedMarkdown {
  /** The page's only heading of level 1, as text. */
  title: string
  /** What follows it. */
  html: string
  /** The other headings, in their order. */
  headings: Heading[]
  /** Pictures that the page shows, by their paths in the repository. */
  pictures: string[]
}

/** Two columns find room on a phone; more of them are read by scrolling. */
const NARROW_COLUMNS = 2

/**
 * A page's Markdown as HTML. HTML within it is shown as text, and a link that leads to nothing on the site is its text alone.
 * @param source its path in the repository
 */
export function renderMarkdown(markdown: string, source: string): RenderedMarkdown {
  const slugOf = createSlugs()
  const headings: Heading[] = []
  const pictures: string[] = []
  let title = ''
  let section = ''

  const renderer: RendererObject = {
    html: ({ text }) => escapeHtml(text),
    heading({ tokens, depth: level }) {
      const text = this.parser.parseInline(tokens, this.parser.textRenderer)
      const slug = slugOf(text)
      section = text
      if (level === 1) {
        title = text
        return ''
      }
      headings.push({ level, slug, text })
      return `<h${level} id="${slug}">${this.parser.parseInline(tokens)}</h${level}>\n`
    },
    link({ href, tokens }) {
      const target = targetOf(href, source)
      const text = labelInPlaceOf(tokens, source) ?? this.parser.parseInline(tokens)
      return target === undefined ? text : `<a href="${escapeHtml(target)}">${text}</a>`
    },
    image({ href, text }) {
      const picture = fileOf(href, source)
      pictures.push(picture)
      return `<img src="${escapeHtml(pageAddressOf(picture))}" alt="${escapeHtml(text)}">`
    },
    code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
    table(token) {
      return tableOf(this, token, section)
    }
  }
  const html = new Marked({ gfm: true }, { renderer }).parse(markdown, { async: false })
  return { title, html, headings, pictures }
}

/** Readers of the site know a page by what the list of pages calls it, not by its file. */
function labelInPlaceOf(tokens: readonly Token[], source: string): string | undefined {
  const [only, ...more] = tokens
  if (only === undefined || more.length > 0 || !('text' in only)) return undefined
  const label = PAGES.find((page) => page.source === fileOf(String(only.text), source))?.label
  return label === undefined ? undefined : escapeHtml(label)
}

/**
 * A table that scrolls inside itself, and so has to be within reach of the keyboard. Its first column names the rows. An empty cell among its headings
 * is no heading.
 */
function tableOf({ parser }: RendererThis, { header, rows }: Tokens.Table, section: string): string {
  const isRow = header.some(({ text }) => text !== '')
  const head = header.map(({ text, tokens }) => (text === '' ? '<td></td>' : `<th scope="col">${parser.parseInline(tokens)}</th>`))
  const body = rows.map((cells) => {
    const [first, ...rest] = cells.map(({ tokens }) => parser.parseInline(tokens))
    const name = first === undefined || first === '' ? '<td></td>' : `<th scope="row">${first}</th>`
    return `<tr>${name}${rest.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
  })
  const width = header.length > NARROW_COLUMNS ? 'table wide' : 'table'
  return [
    `<div class="${width}" role="group" aria-label="${escapeHtml(`Table: ${section}`)}" tabindex="0"><table>`,
    ...(isRow ? [`<thead><tr>${head.join('')}</tr></thead>`] : []),
    `<tbody>${body.join('\n')}</tbody>`,
    '</table></div>\n'
  ].join('\n')
}
