import { Hono } from 'hono'
import type { Context, MiddlewareHandler } from 'hono'
import { REQUEST_NOT_FOUND } from '../../wire/node.ts'
import type { EntryEnvironment } from '../environment.ts'
import { wordsOf } from '../keys/admit.ts'
import type { Admit, Refused } from '../keys/admit.ts'
import { refuseApi } from './api-error.ts'
import type { ApiError } from './api-error.ts'
import { createEncoders } from './formats/encoders.ts'
import { MODELS, modelOf } from './models.ts'
import { createRequestBook } from './request-book.ts'
import { createSpeakFor } from './speak-for.ts'
import type { SpeakForDeps } from './speak-for.ts'
import { poolVoices } from './voices.ts'

export type SpeechOptions = Omit<SpeakForDeps, 'encoders' | 'book'> & { admit: Admit }

export interface Speech {
  part: Hono<EntryEnvironment>
  close(): Promise<void>
}

/** Speech for any client, as the OpenAI API has it; by that the whole pool is a node of contract 2 as well. */
export function createSpeech(options: SpeechOptions): Speech {
  const { pool, admit } = options
  const encoders = createEncoders(options)
  const book = createRequestBook()
  const speakFor = createSpeakFor({ ...options, encoders, book })
  const part = new Hono<EntryEnvironment>()

  const admitted: MiddlewareHandler<EntryEnvironment> = async (context, next) => {
    const entered = admit(context.env.incoming)
    if (!entered.ok) return refuseApi(context, refusalOf(entered))
    context.set('callerId', entered.callerId)
    // Until the answer is out, not only made: who does not read would hold any number of them.
    context.env.outgoing.once('close', entered.leave)
    await next()
  }
  for (const path of PATHS) part.use(path, admitted)

  part.post('/v1/audio/speech', (context) => speakFor(context, callerOf(context)))
  part.get('/v1/audio/voices', (context) => {
    const voices = poolVoices(pool)
    return voices === undefined ? refuseApi(context, NO_VOICES) : context.json({ voices })
  })
  part.get('/v1/models', (context) => context.json({ object: 'list', data: MODELS }))
  part.get('/v1/models/:id', (context) => {
    const model = modelOf(context.req.param('id'))
    return model === undefined ? refuseApi(context, NO_MODEL) : context.json(model)
  })
  part.get('/v1/requests/:id', (context) => {
    const entry = book.find(callerOf(context), context.req.param('id'))
    return entry === undefined ? refuseApi(context, NO_REQUEST) : context.json(entry)
  })
  for (const path of PATHS) part.all(path, (context) => refuseApi(context, { ...NO_METHOD, allow: path === '/v1/audio/speech' ? 'POST' : 'GET, HEAD' }))
  return { part, close: () => encoders.close() }
}

const PATHS = ['/v1/audio/speech', '/v1/audio/voices', '/v1/models', '/v1/models/:id', '/v1/requests/:id']

function callerOf(context: Context<EntryEnvironment>): string {
  const callerId = context.get('callerId')
  if (callerId === undefined) throw new Error('nobody was let in here')
  return callerId
}

const NO_VOICES: ApiError = { status: 503, code: 'no_node', message: 'No node has told its voices yet.', retryAfterS: 5 }
const NO_MODEL: ApiError = { status: 404, code: 'model_not_found', message: 'There is no such model.', param: 'model' }
const NO_REQUEST: ApiError = { status: 404, code: REQUEST_NOT_FOUND, message: 'There is no such request among the newest.' }
const NO_METHOD: ApiError = { status: 405, code: 'method_not_allowed', message: 'This path does not take that method.' }

const CODES = { no_key: 'invalid_api_key', wrong_key: 'invalid_api_key', rate: 'rate_limit_exceeded', concurrency: 'concurrency_limit_exceeded' } as const

function refusalOf(refused: Refused): ApiError {
  const words = wordsOf(refused)
  return { status: words.retryAfterS === undefined ? 401 : 429, code: CODES[refused.reason], ...words }
}
