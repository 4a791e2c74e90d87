import type { OpusStream } from '../../../audio/ogg.ts'
import { createOggWriter } from '../../../audio/ogg-writer.ts'
import type { OggWriter } from '../../../audio/ogg-writer.ts'
import type { Clock } from '../../../core/clock.ts'
import type { Log } from '../../../core/log.ts'
import { headerOf } from './format.ts'
import type { Format, PcmFormat } from './format.ts'
import { samplesOf } from './pcm.ts'
import { startThread } from './start-thread.ts'
import type { Thread } from './start-thread.ts'

/** One answer's file, made of segments as they come. What `add` and `end` give, joined behind the header, is the file. */
export interface Body {
  /** The bytes that this segment made ready; the next may bring the rest of it. @throws `BUG` */
  add(segment: OpusStream): Promise<Uint8Array>
  /** What is left; once, last. @throws `BUG` */
  end(): Promise<Uint8Array>
  /** What stands before all that. Of a `whole` file it says how long it is: then it is asked for last. */
  header(isWhole: boolean): Uint8Array
  /** Frees what it holds; must be called. */
  close(): void
}

export interface Encoders {
  open(format: Format): Body
  close(): Promise<void>
}

/** Packets stay packets where Opus was asked for; the other formats are made in one thread, which starts with the first of them. */
export function createEncoders({ clock, log }: { clock: Clock; log: Log }): Encoders {
  let thread: Thread | undefined
  let bodies = 0

  function running(): Thread {
    thread ??= startThread(clock, (error) => {
      thread = undefined
      if (error.cause !== undefined) log.error({ err: error.cause }, 'the encoding thread has ended')
    })
    return thread
  }

  return {
    open: (format) => (format === 'opus' ? oggBody() : pcmBody(format, running(), bodies++)),
    close: () => thread?.stop() ?? Promise.resolve()
  }
}

/** One continuous stream: the packets of all segments as the nodes made them. */
function oggBody(): Body {
  let writer: OggWriter | undefined
  return {
    add({ packets, preSkip, channels }) {
      const head = writer === undefined
      writer ??= createOggWriter({ preSkip, channels })
      return Promise.resolve(Buffer.concat([...(head ? [writer.start()] : []), writer.add(packets), writer.flush()]))
    },
    end: () => Promise.resolve(writer?.end() ?? new Uint8Array()),
    header: () => new Uint8Array(),
    close() {}
  }
}

function pcmBody(format: PcmFormat, thread: Thread, body: number): Body {
  let samples = 0
  // Whoever adds to it meets what went wrong.
  const opened = thread.ask({ body, does: 'open', format })
  opened.catch(() => undefined)
  return {
    async add({ packets, preSkip, durationMs }) {
      await opened
      samples += samplesOf({ durationMs })
      return thread.ask({ body, does: 'add', segment: { packets, preSkip, durationMs } })
    },
    end: () => thread.ask({ body, does: 'end' }),
    header: (isWhole) => headerOf(format, isWhole ? samples : undefined),
    close: () => thread.forget(body)
  }
}
