import * as z from 'zod/mini'
import { Capacity, Concurrency, RequestId, ServerId, Terms, TimeMs, VoiceId } from './fields.ts'

/** Contract 2: a node. It speaks the OpenAI speech API, so that any server that does can join the pool. */

/** Characters that one request may carry, counted in UTF-16 units; the OpenAI API's own limit is 4,096. */
export const INPUT_MAX = 2000

/** Voices that one node may list. */
export const VOICES_MAX = 2000

/** 1 is the voice's own. */
export const SPEED = { min: 0.25, max: 4 } as const

const AUDIO_FORMATS = ['opus', 'wav', 'mp3', 'flac', 'pcm'] as const

/** The voice of whichever engine the node would choose for the text by itself. */
export const ANY_VOICE = 'auto'

/** `GET /health`: 200 while it can speak, 503 while it can't. `ready` means that a synthesis has worked. */
export const Health = z.object({
  ok: z.boolean(),
  serverId: ServerId,
  engine: z.string().check(z.maxLength(64)),
  ready: z.boolean(),
  capacity: Capacity,
  concurrency: Concurrency,
  inFlight: z.int().check(z.gte(0)),
  queued: z.int().check(z.gte(0)),
  version: z.string().check(z.maxLength(64))
})
export type Health = z.infer<typeof Health>

export const Voice = z.object({
  id: VoiceId,
  name: z.string().check(z.minLength(1), z.maxLength(128)),
  /** A BCP 47 tag (`ja`, `en-US`), or `mul` for a voice of every language. */
  language: z.string().check(z.regex(/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/)),
  engine: z.string().check(z.minLength(1), z.maxLength(64)),
  /** What whoever publishes the voice's sound has to keep to. */
  licence: z.optional(Terms),
  /** Whom they have to name. */
  credit: z.optional(Terms)
})
export type Voice = z.infer<typeof Voice>

/** `GET /v1/audio/voices` */
export const Voices = z.object({ voices: z.array(Voice).check(z.maxLength(VOICES_MAX)) })
export type Voices = z.infer<typeof Voices>

/** `POST /v1/audio/speech`. `mp3` is the OpenAI API's default format; the bot always asks for `opus`. */
export const SpeechRequest = z.object({
  model: z._default(z.string().check(z.maxLength(128)), 'voxpool'),
  input: z.string().check(z.minLength(1), z.maxLength(INPUT_MAX)),
  voice: z._default(VoiceId, ANY_VOICE),
  response_format: z._default(z.enum(AUDIO_FORMATS), 'mp3'),
  speed: z._default(z.number().check(z.gte(SPEED.min), z.lte(SPEED.max)), 1),
  /** Semitones. */
  pitch: z.optional(z.number().check(z.gte(-12), z.lte(12))),
  /** A factor on the samples; 1 is the voice's own loudness. */
  volume: z.optional(z.number().check(z.gte(0), z.lte(2))),
  /** A BCP 47 tag that chooses the engine when the voice is `auto`. */
  language: z.optional(z.string().check(z.regex(/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/)))
})
export type SpeechRequest = z.infer<typeof SpeechRequest>

/**
 * `GET /v1/requests/{id}`: what a node's log has of a speech request, so that an id that the bot sent is found at both ends. The newest 1,000 are
 * kept, without their texts. An id that is not among them is 404 with the code `request_not_found`; any other answer is of a server that keeps no such log.
 */
export const LoggedRequest = z.object({
  requestId: RequestId,
  /** By the node's own clock. */
  receivedAt: TimeMs,
  /** What it was answered with; 499: whoever asked went away before. */
  status: z.int().check(z.gte(100), z.lte(599)),
  /** From the first byte of the request to the first of the answer, waiting for a slot included. */
  durationMs: z.int().check(z.gte(0)),
  /** Of the voice that spoke; absent when none did. */
  engine: z.optional(z.string().check(z.maxLength(64))),
  voice: z.optional(VoiceId),
  /** UTF-16 units, as `INPUT_MAX` counts; 0 when the request was not read. */
  inputLength: z.int().check(z.gte(0))
})
export type LoggedRequest = z.infer<typeof LoggedRequest>

/** The code of a 404 that says: this node keeps a log, and the id is not in it. */
export const REQUEST_NOT_FOUND = 'request_not_found'

/** The OpenAI API's error shape: 400 and 422 are the text's own fault, 401, 413, 429 busy, 500 and 503 the node's fault. */
export const NodeError = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.nullable(z.string()),
    code: z.nullable(z.string())
  })
})
export type NodeError = z.infer<typeof NodeError>
