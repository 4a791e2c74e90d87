import { dirname } from 'node:path'
import * as z from 'zod'

/**
 * A folder of files behind a host name. `app`: one page that draws itself; what looks like a visit and is no file gets its `index.html`.
 * `pages`: a page per path, and the nearest `404.html` for the rest.
 */
export const Site = z.strictObject({
  /** `docs.example.org`; `*.example.org` for any one label; `{name}.example.org` likewise, with `{name}` in `root`; `*` for every host. */
  host: z.string().regex(/^(?:\*|(?:(?:\*|\{[a-z]+\})\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*)$/, 'expected a host, *.host, {name}.host or *'),
  /** The path below which the site lies, with a slash at both ends. */
  base: z.string().regex(/^\/(?:[A-Za-z0-9._~-]+\/)*$/, 'expected a path such as / or /docs/').default('/'),
  kind: z.enum(['app', 'pages']),
  root: z.string().min(1)
}).superRefine(({ host, root }, context) => {
  const unknown = namesIn(root).find((name) => !namesIn(host).includes(name))
  if (unknown !== undefined) context.addIssue({ code: 'custom', path: ['root'], message: `${unknown} stands for nothing: the host has no such part` })
})
export type Site = z.infer<typeof Site>

const NAME = /\{[a-z]+\}/g
const namesIn = (text: string): readonly string[] => text.match(NAME) ?? []

/** Where all of a site's folders lie, whichever host is asked for: `root` up to where the host's label is put in. */
export const folderOf = (root: string) => (namesIn(root).length === 0 ? root : dirname(`${root.slice(0, root.search(NAME))}x`))

/** A site as one request meets it: its folder with the host's label put in. */
export interface MatchedSite {
  kind: Site['kind']
  base: string
  root: string
}

/** As DNS takes them: a label that is a folder's name can't leave its parent. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The site of a request: an exact host before a pattern, a pattern before `*`, and the longer base first.
 * @param host the `Host` header: its port, its case and a final dot do not count
 * @param path beginning with a slash
 */
export function matchSite(sites: readonly Site[], host: string, path: string): MatchedSite | undefined {
  const name = host.toLowerCase().replace(/:\d{1,5}$/, '').replace(/\.$/, '')
  let best: { site: Site; label: string } | undefined
  for (const site of sites) {
    const label = labelOf(site.host, name)
    if (label === undefined || !(path.startsWith(site.base) || `${path}/` === site.base)) continue
    if (best === undefined || rank(site) > rank(best.site)) best = { site, label }
  }
  if (best === undefined) return undefined
  const { site: { kind, base, root }, label } = best
  return { kind, base, root: root.replaceAll(NAME, label) }
}

/** What the pattern's label stands for in this host; empty where the pattern has none; undefined when the host is another. */
function labelOf(pattern: string, host: string): string | undefined {
  if (pattern === '*' || pattern === host) return ''
  const dot = pattern.indexOf('.')
  if (!/^[*{]/.test(pattern) || !host.endsWith(pattern.slice(dot))) return undefined
  const label = host.slice(0, host.length - pattern.slice(dot).length)
  return LABEL.test(label) ? label : undefined
}

function rank({ host, base }: Site): number {
  const nearness = host === '*' ? 0 : /^[*{]/.test(host) ? 1 : 2
  return nearness * 10_000 + base.length
}
