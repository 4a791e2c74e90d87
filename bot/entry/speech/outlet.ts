import type { ServerResponse } from 'node:http'
import type { Clock } from '../../core/clock.ts'
import { VoxError } from '../../core/errors.ts'
import { STALL_LIMIT_MS, cut } from '../cut.ts'
import { SECURITY_HEADERS } from '../security-headers.ts'
import { apiErrorBody } from './api-error.ts'
import type { ApiError } from './api-error.ts'

/** An answer that goes out piece by piece: the bytes as they are, or server-sent events of the OpenAI API that carry them. */
export interface Outlet {
  /** Resolves when there is room for more. @throws `CANCELLED` when the caller has gone, or takes nothing for too long */
  write(bytes: Uint8Array): Promise<void>
  end(): void
  /** Breaks the connection off: what has come so far must not pass for the whole. Events say why before. */
  cut(error: ApiError): void
}

/** To read why it was broken off. */
const CUT_LIMIT_MS = 5_000

export interface OutletOptions {
  outgoing: ServerResponse
  clock: Clock
  requestId: string
  mediaType: string
  isEvents: boolean
}

/** Begins the answer. */
export function openOutlet({ outgoing, clock, requestId, mediaType, isEvents }: OutletOptions): Outlet {
  outgoing.writeHead(200, { 'content-type': isEvents ? 'text/event-stream' : mediaType, 'cache-control': 'no-store', 'x-request-id': requestId, ...SECURITY_HEADERS })
  outgoing.flushHeaders()

  async function send(bytes: Uint8Array | string): Promise<void> {
    if (outgoing.destroyed) throw new VoxError('CANCELLED')
    if (!outgoing.write(bytes)) await drained(outgoing, clock)
  }

  return {
    async write(bytes) {
      if (bytes.length > 0) await send(isEvents ? event({ type: 'speech.audio.delta', audio: Buffer.from(bytes).toString('base64') }) : bytes)
    },
    end() {
      if (isEvents) outgoing.write(event({ type: 'speech.audio.done', usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 } }))
      outgoing.end()
    },
    cut(error) {
      if (!isEvents || outgoing.destroyed) {
        cut(outgoing)
        return
      }
      const cancel = clock.after(CUT_LIMIT_MS, () => cut(outgoing))
      outgoing.once('close', cancel)
      // It says itself that this is no end; a reset would take it away again from who is behind.
      outgoing.write(event(apiErrorBody(error)), () => outgoing.destroy())
    }
  }
}

const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`

function drained(outgoing: ServerResponse, clock: Clock): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (isDrained: boolean) => {
      cancel()
      outgoing.off('drain', onDrain)
      outgoing.off('close', onClose)
      if (isDrained) resolve()
      else reject(new VoxError('CANCELLED'))
    }
    const onDrain = () => settle(true)
    const onClose = () => settle(false)
    const cancel = clock.after(STALL_LIMIT_MS, onClose)
    outgoing.once('drain', onDrain)
    outgoing.once('close', onClose)
  })
}
