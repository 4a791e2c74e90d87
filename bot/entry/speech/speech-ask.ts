import * as z from 'zod'
import { VoiceId } from '../../wire/fields.ts'
import { ANY_VOICE, SPEED, SpeechRequest } from '../../wire/node.ts'
import type { ApiError } from './api-error.ts'
import { FORMATS } from './formats/format.ts'

/** The OpenAI API's own limit, in characters as people count them. */
const INPUT_MAX = 4_096

const { speed, pitch, volume, language } = SpeechRequest.shape

/** `POST /v1/audio/speech` as the OpenAI API has it, and what contract 2 adds. Fields that are not here are passed over. */
const Ask = z.object({
  model: z.string().max(128).default('voxpool'),
  input: z.string().min(1).refine((text) => Array.from(text).length <= INPUT_MAX),
  voice: z.union([VoiceId, z.object({ id: VoiceId }).transform(({ id }) => id)]).default(ANY_VOICE),
  response_format: z.enum(FORMATS).default('mp3'),
  stream_format: z.enum(['audio', 'sse']).optional(),
  speed, pitch, volume, language
})

const EXPECTED: Readonly<Record<string, string>> = {
  model: 'a name of at most 128 characters',
  input: `a text of 1 to ${String(INPUT_MAX)} characters`,
  voice: 'the id of a voice: at most 128 characters without spaces',
  response_format: `one of ${FORMATS.join(', ')}`,
  stream_format: 'audio or sse',
  speed: `a number from ${String(SPEED.min)} to ${String(SPEED.max)}`,
  pitch: 'a number from -12 to 12',
  volume: 'a number from 0 to 2',
  language: 'a language tag such as ja or en-US'
} satisfies Record<keyof z.infer<typeof Ask>, string>
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
  const parsed = Ask.safeParse(withoutNulls(json))
  if (parsed.success) return { ok: true, ask: parsed.data }
  const field = parsed.error.issues[0]?.path[0]
  if (typeof field !== 'string') return { ok: false, error: { status: 400, code: 'invalid_request', message: 'The body: expected a JSON object.' } }
  return { ok: false, error: { status: 400, code: 'invalid_request', message: `${field}: expected ${EXPECTED[field] ?? 'something else'}.`, param: field } }
}

/** Many programs send a field as null that nobody filled in. */
function withoutNulls(json: unknown): unknown {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return json
  return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null))
}
