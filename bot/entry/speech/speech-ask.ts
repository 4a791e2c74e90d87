import * as z from 'zod'
import { VoiceId } from '../../wire/fields.ts'
import { ANY_VOICE, SpeechRequest } from '../../wire/node.ts'
import type { ApiError } from './api-error.ts'
import { FORMATS } from './formats/format.ts'

/** The OpenAI API's own limit, in characters as people count them. */
const INPUT_MAX = 4_096

const { speed, pitch, volume, language } = SpeechRequest.shape

/** `POST /v1/audio/speech` as the OpenAI API has it, and what contract 2 adds. Fields that are not here are passed over. */
const Ask = z.object({
  model: z.string().max(128).default('voxpool'),
  input: z
    .string({ error: 'expected a text' })
    .min(1, 'expected a text')
    .refine((text) => Array.from(text).length <= INPUT_MAX, `expected at most ${String(INPUT_MAX)} characters`),
  voice: z
    .union([VoiceId, z.object({ id: VoiceId }).transform(({ id }) => id)], { error: 'expected the id of a voice: at most 128 characters without spaces' })
    .default(ANY_VOICE),
  response_format: z.enum(FORMATS, { error: `expected one of ${FORMATS.join(', ')}` }).default('mp3'),
  stream_format: z.enum(['audio', 'sse'], { error: 'expected audio or sse' }).optional(),
  speed, pitch, volume, language
})
export type SpeechAsk = z.infer<typeof Ask>

export type SpeechAskResult = { ok: true; ask: SpeechAsk } | { ok: false; error: ApiError }

/** Reads a request's body; the first thing that is wrong is named, with its field. */
export function readSpeechAsk(body: string): SpeechAskResult {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return { ok: false, error: { status: 400, code: 'invalid_json', message: 'The body is not JSON.' } }
  }
  const parsed = Ask.safeParse(json)
  if (parsed.success) return { ok: true, ask: parsed.data }
  const [issue] = parsed.error.issues
  const field = issue?.path[0]
  const what = issue?.message ?? 'not a request'
  if (typeof field !== 'string') return { ok: false, error: { status: 400, code: 'invalid_request', message: `The body: ${what}.` } }
  return { ok: false, error: { status: 400, code: 'invalid_request', message: `${field}: ${what}.`, param: field } }
}
