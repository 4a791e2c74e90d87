import { posix } from 'node:path'
import type { MatchedSite } from './site.ts'

/** Files to try, in order, each below the site's folder; the first that exists is the answer, with this status. */
export interface Candidate {
  /** Relative to the site's folder. */
  file: string
  status: 200 | 404
}

export interface Visit {
  /** The path as it came over the wire, without its query: still encoded. */
  rawPath: string
  /** Whether it is somebody who visits a page: GET or HEAD that accepts HTML. */
  navigates: boolean
}

/**
 * Which files may answer a visit, or none when the path is no path of a site: one that leads out of it, however it is written, or that names a
 * hidden file. Decoded once: what is encoded twice is the name of a file that does not exist.
 */
export function candidatesFor({ kind, base }: MatchedSite, { rawPath, navigates }: Visit): Candidate[] {
  const path = decoded(rawPath)
  const segments = path === undefined ? [] : `${path}/`.startsWith(base) ? path.slice(base.length).split('/') : []
  const isSafe = path !== undefined && segments.every((segment, index) => isName(segment) || (segment === '' && index === segments.length - 1))
  const inside = isSafe ? segments.join('/') : ''
  const found = isSafe ? (kind === 'app' ? appFiles(inside, navigates) : pageFiles(inside)) : []
  const missing = kind === 'pages' ? notFoundPages(isSafe ? posix.dirname(inside) : '.') : []
  return [...found.map((file) => ({ file, status: 200 }) as const), ...missing.map((file) => ({ file, status: 404 }) as const)]
}

/** An encoded slash or backslash is no separator here, and nowhere a part of a name. */
function decoded(rawPath: string): string | undefined {
  if (/%(?:2f|5c|00)/i.test(rawPath)) return undefined
  try {
    return decodeURIComponent(rawPath)
  } catch {
    return undefined
  }
}

function isName(segment: string): boolean {
  // eslint-disable-next-line no-control-regex
  return segment !== '' && !/[\\:\u0000-\u001f]/.test(segment) && (!segment.startsWith('.') || segment === '.well-known')
}

function appFiles(inside: string, navigates: boolean): string[] {
  const isPage = navigates && posix.extname(inside.slice(inside.lastIndexOf('/') + 1)) === ''
  return [...(inside === '' || inside.endsWith('/') ? [] : [inside]), ...(isPage ? ['index.html'] : [])]
}

function pageFiles(inside: string): string[] {
  if (inside === '') return ['index.html']
  const name = inside.replace(/\/$/, '')
  return inside.endsWith('/') ? [`${name}/index.html`, `${name}.html`] : [name, `${name}.html`, `${name}/index.html`]
}

/** From the folder of the path up to the site's own. */
function notFoundPages(folder: string): string[] {
  const pages: string[] = []
  for (let at = folder; at !== '.'; at = posix.dirname(at)) pages.push(`${at}/404.html`)
  return [...pages, '404.html']
}
