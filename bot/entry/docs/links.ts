import { posix } from 'node:path'
import { PAGES, TAKEN_ALONG, pageAddressOf } from './contents.ts'

/**
 * Where a link leads once its page is one of the site's: to another site, a page, a section, or a file that lies beside the pages. Undefined for what
 * is not here, such as a file of the source.
 * @param source the page's path in the repository, from which its links are counted
 */
export function targetOf(href: string, source: string): string | undefined {
  if (/^https?:\/\//.test(href) || href.startsWith('#')) return href
  const [path = '', section] = href.split('#')
  const file = fileOf(path, source)
  const page = PAGES.find((each) => each.source === file)
  if (page !== undefined) return `${pageAddressOf(page.name)}${section === undefined ? '' : `#${section}`}`
  return TAKEN_ALONG.includes(file) ? pageAddressOf(file) : undefined
}

/** A relative path as a path in the repository. */
export function fileOf(path: string, source: string): string {
  return posix.join(posix.dirname(source), path)
}
