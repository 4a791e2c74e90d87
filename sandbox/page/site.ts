import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { Hono } from 'hono'

const folder = join(import.meta.dirname, 'site')

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml'
}

/** The page's own files, as they lie in `site/`: a list made at start, so that no path from outside reaches the disk. */
export function site(): Hono {
  const files = new Set(readdirSync(folder))
  const serve = async (name: string): Promise<Response> => {
    const type = TYPES[extname(name)]
    if (!files.has(name) || type === undefined) return new Response('Not found.', { status: 404 })
    return new Response(await readFile(join(folder, name)), { headers: { 'content-type': type, 'cache-control': 'no-cache' } })
  }
  const routes = new Hono()
  routes.get('/', () => serve('index.html'))
  routes.get('/page/:file', (c) => serve(c.req.param('file')))
  return routes
}
