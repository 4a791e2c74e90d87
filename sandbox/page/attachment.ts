import { findAttachment } from '../messages.ts'
import type { Attachment, World } from '../world.ts'

/** Shown in the page; everything else is only ever downloaded, so that no file of a bot can run as a page of ours. */
const SHOWN = /^(?:audio\/(?:ogg|mpeg|mp4|wav|x-wav|webm|flac)|image\/(?:png|jpeg|gif|webp)|text\/plain)(?:;|$)/

/** The attachment's bytes, whole or the one range that was asked for (players seek with it); 404 and 416 as HTTP has them. */
export function attachmentResponse(world: World, id: string, range: string | undefined): Response {
  const attachment = findAttachment(world, id)
  if (!attachment) return new Response('No such attachment.', { status: 404 })
  const { bytes } = attachment
  const headers = {
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=3600',
    ...typeHeaders(attachment)
  }
  const asked = range === undefined ? null : parseRange(range, bytes.byteLength)
  if (asked === 'unsatisfiable') {
    return new Response(null, { status: 416, headers: { 'content-range': `bytes */${bytes.byteLength}` } })
  }
  if (!asked) return new Response(new Uint8Array(bytes), { headers })
  return new Response(new Uint8Array(bytes.subarray(asked.first, asked.last + 1)), {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${asked.first}-${asked.last}/${bytes.byteLength}` }
  })
}

function typeHeaders({ contentType, filename }: Attachment): Record<string, string> {
  const name = `filename*=UTF-8''${encodeURIComponent(filename.slice(0, 200).toWellFormed())}`
  return SHOWN.test(contentType)
    ? { 'content-type': contentType, 'content-disposition': `inline; ${name}` }
    : { 'content-type': 'application/octet-stream', 'content-disposition': `attachment; ${name}` }
}

/** One range of RFC 9110, section 14; `null` for what may be ignored (several ranges, other units, bad syntax). */
function parseRange(header: string, sizeBytes: number): { first: number; last: number } | 'unsatisfiable' | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim())
  if (!match) return null
  const [, from = '', to = ''] = match
  if (from === '' && to === '') return null
  const first = from === '' ? Math.max(0, sizeBytes - Number(to)) : Number(from)
  const last = from === '' || to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1)
  if (from !== '' && to !== '' && Number(from) > Number(to)) return null
  return first > last ? 'unsatisfiable' : { first, last }
}
