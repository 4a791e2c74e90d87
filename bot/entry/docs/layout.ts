import { BASE, SECTIONS, pageAddressOf } from './contents.ts'
import { escapeHtml } from './escape.ts'
import type { Heading } from './render-markdown.ts'

export interface Page {
  /** The page's name below `BASE`; undefined for one that is not in the list. */
  name: string | undefined
  title: string
  /** What follows the title. */
  html: string
  headings: readonly Heading[]
}

/** Fewer sections than this are seen without a list of them. */
const SECTIONS_WORTH_LISTING = 2

/** A whole page: how to get on, then what it says. It needs no script; on a phone the lists of pages and of sections are folded. */
export function layOut({ name, title, html, headings }: Page): string {
  const pages = pageList(name)
  const listed = headings.filter(({ level }) => level <= 3)
  const sections = listed.length < SECTIONS_WORTH_LISTING ? undefined : sectionList(listed)
  const whole = name === '' ? `${title} documentation` : `${title} · Voxpool`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(whole)}</title>
<link rel="icon" href="${BASE}icon.svg">
<link rel="stylesheet" href="${BASE}docs.css">
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header class="top">
<a class="brand" href="${BASE}"><img src="${BASE}icon.svg" alt="" width="24" height="24">Voxpool</a>
<a class="status" href="/">Status</a>
<details class="menu">
<summary>Pages</summary>
<nav aria-label="Pages">
${pages}
</nav>
</details>
</header>
<div class="frame">
<nav class="pages" aria-label="Pages">
${pages}
</nav>
${sections === undefined ? '' : `<nav class="sections" aria-label="On this page">\n<p>On this page</p>\n${sections}\n</nav>\n`}<main id="content" tabindex="-1">
<h1>${escapeHtml(title)}</h1>
${sections === undefined ? '' : `<details class="folded">\n<summary>On this page</summary>\n<nav aria-label="On this page">\n${sections}\n</nav>\n</details>\n`}${html}</main>
</div>
</body>
</html>
`
}

function pageList(current: string | undefined): string {
  return SECTIONS.map(({ title, pages }) => {
    const items = pages.map(({ name, label }) => `<li><a href="${pageAddressOf(name)}"${name === current ? ' aria-current="page"' : ''}>${escapeHtml(label)}</a></li>`)
    return `<p>${escapeHtml(title)}</p>\n<ul>\n${items.join('\n')}\n</ul>`
  }).join('\n')
}

function sectionList(headings: readonly Heading[]): string {
  return `<ul>\n${headings.map(({ level, slug, text }) => `<li class="level-${level}"><a href="#${slug}">${escapeHtml(text)}</a></li>`).join('\n')}\n</ul>`
}
