import { Hono } from 'hono'
import type { Context } from 'hono'
import mime from 'mime'
import type { Clock } from '../../core/clock.ts'
import type { EntryEnvironment } from '../environment.ts'
import { targetOf } from '../target.ts'
import { ENCODINGS, createCompressor, encodingFor, isWorthCompressing } from './compress.ts'
import type { Compressor, Encoding } from './compress.ts'
import { streamOf } from './file-stream.ts'
import { isHashed } from './hashed-name.ts'
import { openFile } from './open-file.ts'
import type { OpenFile } from './open-file.ts'
import { conditionOf } from './preconditions.ts'
import { rangeOf } from './range.ts'
import { candidatesFor } from './resolve.ts'
import { matchSite } from './site.ts'
import type { Site } from './site.ts'
import { isVisit } from './visit.ts'

interface Means {
  compressor: Compressor
  clock: Clock
  context: Context<EntryEnvironment>
}

/**
 * Answers with the files of sites: by host and path, with ETag, ranges and compression; what is missing is 404. What no site claims is left to who comes
 * next.
 */
export function serveSites(sites: readonly Site[], { clock }: { clock: Clock }): Hono<EntryEnvironment> {
  const compressor = createCompressor()
  const app = new Hono<EntryEnvironment>()
  app.use(async (context, next) => {
    const { method } = context.req
    const { incoming } = context.env
    const { host, rawPath, query } = targetOf(incoming)
    const site = matchSite(sites, host, rawPath)
    if (site === undefined) {
      await next()
      return
    }
    if (method !== 'GET' && method !== 'HEAD') return plain(405, 'Only GET and HEAD are answered here.', { allow: 'GET, HEAD' })
    // Without its final slash the site's relative links would lead elsewhere.
    if (`${rawPath}/` === site.base) return plain(308, 'See below the slash.', { location: site.base + query })
    for (const { file, status } of candidatesFor(site, { rawPath, navigates: isVisit(incoming.headers) })) {
      for (let tries = 1; ; tries++) {
        const opened = await openFile(site.root, file)
        if (opened === undefined) break
        const answer = await answerWith(opened, { status, isApp: site.kind === 'app' }, { compressor, clock, context })
        if (answer !== undefined) return answer
        if (tries === TRIES_MAX) return plain(503, 'It is being written just now. Try again in a moment.', { 'retry-after': '1' })
      }
    }
    return plain(404, 'There is no such page.')
  })
  return app
}

/** A file that is written over while it is read is opened again, so often. */
const TRIES_MAX = 3

/** Undefined: the file is another version by now. */
async function answerWith(file: OpenFile, { status, isApp }: { status: 200 | 404; isApp: boolean }, { compressor, clock, context }: Means): Promise<Response | undefined> {
  const { method } = context.req
  const type = mime.getType(file.name) ?? 'application/octet-stream'
  const asText = /^text\/|javascript|json|xml/.test(type) ? `${type}; charset=utf-8` : type
  const asked = Object.fromEntries(context.req.raw.headers)
  // A range is of the bytes as they are; of anything but GET it is not one.
  const isFound = status === 200
  const isPart = isFound && method === 'GET' && asked['range'] !== undefined
  const encoding = isWorthCompressing(type, file.sizeBytes) && !isPart ? encodingFor(asked['accept-encoding']) : undefined
  const tag = tagOf(file, encoding)
  const headers: Record<string, string> = {
    'content-type': asText,
    'cache-control': isFound && isHashed(file.name) ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: tag,
    'last-modified': new Date(file.modifiedMs).toUTCString(),
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    // The page of an app answers visits alone at most of its addresses.
    vary: isApp && type === 'text/html' ? 'Accept-Encoding, Accept, Sec-Fetch-Dest' : 'Accept-Encoding'
  }
  const part = (code: number, { start, end }: { start: number; end: number }, more: Record<string, string> = {}) =>
    body(file, { status: code, headers: { ...headers, ...more }, start, end }, { clock, context })
  const whole = { start: 0, end: file.sizeBytes - 1 }
  const tags = [tag, ...[undefined, ...ENCODINGS].map((each) => tagOf(file, each))] as const
  const condition = isFound ? conditionOf(asked, { tags, modified: headers['last-modified'] ?? '' }) : undefined
  const range = condition === undefined && isPart ? rangeOf(asked, tag, file.sizeBytes) : undefined
  if (condition !== undefined || range === 'unsatisfiable') {
    await file.handle.close()
    if (condition === 'fresh') return new Response(null, { status: 304, headers })
    if (condition === 'failed') return plain(412, 'It is another version by now.')
    return plain(416, 'The file has no such part.', { 'content-range': `bytes */${file.sizeBytes}` })
  }
  if (encoding !== undefined) {
    const bytes = await compressor.bytes(file, encoding).finally(() => file.handle.close())
    if (bytes === undefined) return undefined
    const length = { 'content-encoding': encoding, 'content-length': String(bytes.length) }
    return new Response(method === 'HEAD' ? null : bytes, { status, headers: { ...headers, ...length } })
  }
  return range === undefined ? part(status, whole) : part(206, range, { 'content-range': `bytes ${range.start}-${range.end}/${file.sizeBytes}` })
}

/** Each encoding is another sequence of bytes, so it has a tag of its own. */
function tagOf({ version }: OpenFile, encoding: Encoding | undefined): string {
  return `"${version}${encoding === undefined ? '' : `-${encoding}`}"`
}

async function body(
  file: OpenFile,
  { status, headers, start, end }: { status: number; headers: Record<string, string>; start: number; end: number },
  { clock, context }: Pick<Means, 'clock' | 'context'>
): Promise<Response> {
  const length = { 'content-length': String(end - start + 1) }
  if (context.req.method === 'HEAD' || end < start) {
    await file.handle.close()
    return new Response(null, { status, headers: { ...headers, ...length } })
  }
  return new Response(streamOf(file, { start, end }, { clock, outgoing: context.env.outgoing }), { status, headers: { ...headers, ...length } })
}

function plain(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...headers } })
}
