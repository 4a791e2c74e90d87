import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Hono } from 'hono'
import type { Clock } from '../../core/clock.ts'
import type { EntryEnvironment } from '../environment.ts'
import { refuse } from '../errors.ts'
import { OWN_SITES, ownLabelOf } from '../own-paths.ts'
import { serveSites } from '../sites/serve-sites.ts'
import type { Site } from '../sites/site.ts'
import { targetOf } from '../target.ts'

const VENDOR = '/vendor/uplot/'

/** The status page and the library that draws its charts, at every host that is nobody else's. */
export const STATUS_SITES: readonly Site[] = [
  { host: '*', base: VENDOR, kind: 'pages', root: dirname(fileURLToPath(import.meta.resolve('uplot'))) },
  { host: '*', base: '/', kind: 'app', root: join(import.meta.dirname, 'site') }
]

/**
 * The bot's own sites, after everything else. Programs that ask for what is not there get the one shape of errors, never a page: below the paths of the
 * API, and with any method that is no visit, but where a site has that very path.
 */
export function serveDefaultSites(sites: readonly Site[], deps: { clock: Clock }): Hono<EntryEnvironment> {
  const app = new Hono<EntryEnvironment>()
  app.use(async (context, next) => {
    const { method } = context.req
    const { rawPath: path } = targetOf(context.env.incoming)
    const isVisit = method === 'GET' || method === 'HEAD'
    if (isApi(path) || (!isVisit && !isPathOf(sites, path))) return refuse(context, 'not_found', 'There is no such path.')
    await next()
  })
  app.route('/', serveSites(sites, deps))
  return app
}

function isApi(path: string): boolean {
  if (path === '/v1' || path.startsWith('/v1/')) return true
  const label = ownLabelOf(path)
  return label !== undefined && !OWN_SITES.includes(label)
}

/** The page at the root has one path of its own; the others all that lies below theirs. */
function isPathOf(sites: readonly Site[], path: string): boolean {
  return sites.some(({ base }) => (base === '/' ? path === '/' : path.startsWith(base)))
}
