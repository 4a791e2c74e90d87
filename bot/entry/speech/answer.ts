import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import type { Clock } from '../../core/clock.ts'
import { VoxError, asVoxError } from '../../core/errors.ts'
import type { Utterance } from '../../speech/speak.ts'
import type { EntryEnvironment } from '../environment.ts'
import type { Body } from './formats/encoders.ts'
import { MEDIA_TYPES } from './formats/format.ts'
import { openOutlet } from './outlet.ts'
import type { Outlet } from './outlet.ts'
import type { SpeechAsk } from './speech-ask.ts'
import { toldFault } from './told-fault.ts'

interface Spoken {
  utterance: Utterance
  body: Body
  ask: SpeechAsk
}

/** More than 20 minutes of the largest format: no voice takes that long for what one request may hold. */
const WHOLE_MAX_BYTES = 64 * 1024 * 1024

/** The utterance as one file of known length, once all of it is there. @throws the `VoxError` of what could not be had */
export async function answerWhole(context: Context<EntryEnvironment>, { utterance, body, ask }: Spoken): Promise<Response> {
  const parts: Uint8Array[] = []
  let sizeBytes = 0
  const take = (bytes: Uint8Array) => {
    parts.push(bytes)
    sizeBytes += bytes.length
    if (sizeBytes > WHOLE_MAX_BYTES) throw new VoxError('NODE_BAD_REPLY', { reason: 'more audio than the text can be' })
  }
  for await (const segment of utterance.audio) take(await body.add(segment))
  take(await body.end())
  const file = Buffer.concat([body.header(true), ...parts])
  return context.body(file, 200, { 'content-type': MEDIA_TYPES[ask.response_format], 'content-length': String(file.length), 'cache-control': 'no-store' })
}

/**
 * Each segment as soon as it is there, in order. A fault before the first byte is thrown; after that the connection is cut.
 * @param onFault called with a fault that was met after the first byte
 */
export async function answerStreamed(
  context: Context<EntryEnvironment>,
  { utterance, body, ask }: Spoken,
  { clock, onStart, onFault }: { clock: Clock; onStart: () => void; onFault: (error: VoxError) => void }
): Promise<Response> {
  const open = () => {
    onStart()
    const { outgoing } = context.env
    return openOutlet({ outgoing, clock, requestId: context.get('requestId'), mediaType: MEDIA_TYPES[ask.response_format], isEvents: ask.stream_format === 'sse' })
  }
  let outlet: Outlet | undefined
  try {
    for await (const segment of utterance.audio) {
      const bytes = await body.add(segment)
      if (outlet === undefined) {
        outlet = open()
        await outlet.write(body.header(false))
      }
      await outlet.write(bytes)
    }
    await outlet?.write(await body.end())
    outlet?.end()
  } catch (thrown) {
    const error = asVoxError(thrown)
    if (outlet === undefined) throw error
    onFault(error)
    outlet.cut(toldFault(error))
  }
  return RESPONSE_ALREADY_SENT
}
