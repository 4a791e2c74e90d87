import { Readable } from 'node:stream'
import fresh from 'fresh'
import { Hono } from 'hono'
import type { Context } from 'hono'
import mime from 'mime'
import { parse } from 'range-parser'
import type { EntryEnvironment } from '../environment.ts'
import { createCompressor, encodingFor, isWorthCompressing } from './compress.ts'
import type { Compressor } from './compress.ts'
import { openFile } from './open-file.ts'
import type { OpenFile } from './open-file.ts'
import { candidatesFor } from './resolve.ts'
import { matchSite } from './site.ts'
import type { Site } from './site.ts'

type SiteContext = Context<EntryEnvironment>

/** A name with a hash in it (`main-3f9a2c1b.js`) never means anything else. */
const HASHED = /[.-][0-9a-zA-Z_]{8,}\.[a-z0-9]+$/

/**
 * Answers with the files of sites: by host and path, with ETag, ranges and compression; what is missing is 404. It reads the path as it came over
 * the wire: an address that was normalised on the way no longer shows what somebody tried. What no site claims is left to who comes next.
 */
export function serveSites(sites: readonly Site[]): Hono<EntryEnvironment> {
  const compressor = createCompressor()
  const app = new Hono<EntryEnvironment>()
  app.use(async (context, next) => {
    const { method } = context.req
    const rawPath = (context.env.incoming.url ?? '/').split('?')[0] ?? '/'
    const site = matchSite(sites, context.req.header('host') ?? '', rawPath)
    if (site === undefined) {
      await next()
      return
    }
    if (method !== 'GET' && method !== 'HEAD') return plain(405, 'Only GET and HEAD are answered here.', { allow: 'GET, HEAD' })
    // Without its final slash the site's relative links would lead elsewhere.
    if (`${rawPath}/` === site.base) return plain(308, 'See below the slash.', { location: site.base })
    const navigates = /text\/html|\*\/\*/.test(context.req.header('accept') ?? '')
    for (const { file, status } of candidatesFor(site, { rawPath, navigates })) {
      const opened = await openFile(site.root, file)
      if (opened !== undefined) return answerWith(opened, status, context, compressor)
    }
    return plain(404, 'There is no such page.')
  })
  return app
}

async function answerWith(file: OpenFile, status: 200 | 404, context: SiteContext, compressor: Compressor): Promise<Response> {
  const type = mime.getType(file.path) ?? 'application/octet-stream'
  const asText = /^text\/|javascript|json|xml/.test(type) ? `${type}; charset=utf-8` : type
  const asked = Object.fromEntries(context.req.raw.headers)
  const encoding = isWorthCompressing(type, file.sizeBytes) && asked['range'] === undefined ? encodingFor(asked['accept-encoding']) : undefined
  const headers: Record<string, string> = {
    'content-type': asText,
    'cache-control': HASHED.test(file.path) ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: `"${file.version}${encoding === undefined ? '' : `-${encoding}`}"`,
    'last-modified': new Date(file.modifiedMs).toUTCString(),
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    vary: 'Accept-Encoding'
  }
  if (status === 404) return body(file, { status, headers, start: 0, end: file.sizeBytes - 1 }, context)
  if (fresh(asked, headers)) {
    await file.handle.close()
    return new Response(null, { status: 304, headers })
  }
  if (encoding !== undefined) {
    const bytes = await compressor.bytes(file, encoding).finally(() => file.handle.close())
    const length = { 'content-encoding': encoding, 'content-length': String(bytes.length) }
    return new Response(context.req.method === 'HEAD' ? null : bytes, { status, headers: { ...headers, ...length } })
  }
  const range = rangeOf(asked, headers, file.sizeBytes)
  if (range === 'unsatisfiable') {
    await file.handle.close()
    return new Response(null, { status: 416, headers: { 'content-range': `bytes */${file.sizeBytes}` } })
  }
  if (range === undefined) return body(file, { status, headers, start: 0, end: file.sizeBytes - 1 }, context)
  const { start, end } = range
  return body(file, { status: 206, headers: { ...headers, 'content-range': `bytes ${start}-${end}/${file.sizeBytes}` }, start, end }, context)
}

/** As `range-parser` says it. */
const MALFORMED = 1

/** One range; several at once are answered with the whole, as is a range of what has changed since. */
function rangeOf(asked: Record<string, string>, headers: Record<string, string>, sizeBytes: number): { start: number; end: number } | 'unsatisfiable' | undefined {
  const wanted = asked['range']
  const since = asked['if-range']
  if (wanted === undefined || (since !== undefined && since !== headers['etag'] && since !== headers['last-modified'])) return undefined
  const { code, type, ranges } = parse(sizeBytes, wanted)
  const [range, ...more] = ranges
  if (type !== 'bytes' || code === MALFORMED || more.length > 0) return undefined
  return range ?? 'unsatisfiable'
}

async function body(file: OpenFile, { status, headers, start, end }: { status: number; headers: Record<string, string>; start: number; end: number }, context: SiteContext): Promise<Response> {
  const length = { 'content-length': String(end - start + 1) }
  if (context.req.method === 'HEAD' || end < start) {
    await file.handle.close()
    return new Response(null, { status, headers: { ...headers, ...length } })
  }
  const stream = file.handle.createReadStream({ start, end, autoClose: true })
  return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, { status, headers: { ...headers, ...length } })
}

function plain(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...headers } })
}
