import type { Context } from 'hono'
import type { z } from 'zod'
import { fromZod, invalidForm, refused } from './errors.ts'

export interface UploadedFile {
  /** The `n` of `files[n]`. */
  index: number
  filename: string
  contentType: string
  bytes: Uint8Array
}

export interface Body {
  json: unknown
  files: UploadedFile[]
}

/** Discord goes by the name first, whatever the sender says of the content. */
const TYPES: Record<string, string> = {
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  png: 'image/png',
  jpg: 'image/jpeg',
  txt: 'text/plain; charset=utf-8',
  json: 'application/json'
}

function contentTypeOf(file: File): string {
  const extension = /\.([a-z0-9]+)$/i.exec(file.name)?.[1]?.toLowerCase() ?? ''
  return TYPES[extension] ?? (file.type || 'application/octet-stream')
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw refused.json()
  }
}

/** More than any server's upload limit here: what comes after it is not read. */
const REQUEST_BYTES_MAX = 64 * 1024 * 1024

async function readBytes(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  if (!request.body) return new Uint8Array()
  for await (const chunk of request.body as AsyncIterable<Uint8Array>) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > REQUEST_BYTES_MAX) throw refused.tooLarge()
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

/**
 * The body of a request: JSON, or multipart with `payload_json` and `files[n]`; 64 MiB at most.
 * @throws ApiError 40005 above that, 50109 for what is no JSON, 50035 for a part of an unknown name
 */
export async function readBody(c: Context): Promise<Body> {
  const type = c.req.header('content-type') ?? ''
  const bytes = await readBytes(c.req.raw)
  if (!type.startsWith('multipart/form-data')) {
    return { json: bytes.byteLength === 0 ? {} : parseJson(new TextDecoder().decode(bytes)), files: [] }
  }
  // Its whole size is bounded above, which is what the deprecation warns of.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData().catch(() => {
    throw refused.json()
  })
  const files: UploadedFile[] = []
  let json: unknown = {}
  for (const [name, value] of form) {
    if (typeof value === 'string') {
      if (name === 'payload_json') json = parseJson(value)
      continue
    }
    const index = /^files\[(\d{1,3})\]$/.exec(name)?.[1] ?? (name === 'file' ? '0' : undefined)
    if (index === undefined) throw invalidForm([name], 'BASE_TYPE_INVALID', 'Not a name of a file part.')
    files.push({
      index: Number(index),
      filename: value.name.replace(/[^\p{L}\p{N}._-]+/gu, '_').slice(0, 200) || 'unknown',
      contentType: contentTypeOf(value),
      bytes: new Uint8Array(await value.arrayBuffer())
    })
  }
  return { json, files }
}

/** @throws ApiError 50035 that names every fault at its place */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw fromZod(parsed.error)
  return parsed.data
}
