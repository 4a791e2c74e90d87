import type { Attachment } from 'discord.js'
import { request } from 'undici'
import { limited } from '../core/clock.ts'
import type { Clock } from '../core/clock.ts'
import { VoxError } from '../core/errors.ts'

/** Where Discord keeps the files of messages and commands. */
const DISCORD_HOSTS = ['cdn.discordapp.com', 'media.discordapp.net']

const LIMIT_MS = 10_000

export interface FetchOptions {
  clock: Clock
  /** Base of the REST API: a stand-in keeps its files where it answers. */
  apiUrl: string
  maxBytes: number
}

export type Fetched = { ok: true; bytes: Uint8Array } | { ok: false; reason: 'tooLarge' | 'unreachable' }

/** A file that somebody sent, from Discord's own hosts alone, without a redirect, in at most 10 s. What Discord says of its size is not taken for true. */
export async function fetchAttachment({ url, size }: Pick<Attachment, 'url' | 'size'>, { clock, apiUrl, maxBytes }: FetchOptions): Promise<Fetched> {
  if (size > maxBytes) return { ok: false, reason: 'tooLarge' }
  if (!isDiscordsFile(url, apiUrl)) return { ok: false, reason: 'unreachable' }
  const { signal, release } = limited(clock, LIMIT_MS, () => new VoxError('OUT_OF_TIME'))
  try {
    const { statusCode, body } = await request(url, { signal })
    const chunks: Uint8Array[] = []
    let sizeBytes = 0
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      sizeBytes += chunk.byteLength
      if (sizeBytes > maxBytes) return { ok: false, reason: 'tooLarge' }
      chunks.push(chunk)
    }
    return statusCode === 200 ? { ok: true, bytes: Buffer.concat(chunks) } : { ok: false, reason: 'unreachable' }
  } catch {
    return { ok: false, reason: 'unreachable' }
  } finally {
    release()
  }
}

/** Whether a file may be asked for there: by https from where Discord keeps files, or from the very place where the API answers. */
export function isDiscordsFile(url: string, apiUrl: string): boolean {
  if (!URL.canParse(url)) return false
  const { origin, protocol, hostname, port, username, password } = new URL(url)
  if (username !== '' || password !== '') return false
  return (protocol === 'https:' && port === '' && DISCORD_HOSTS.includes(hostname)) || origin === new URL(apiUrl).origin
}
