import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'

export type Log = Logger

/** Names under which a secret could reach a log; their values are replaced, two levels deep. */
const SECRETS = ['key', 'token', 'authorization', 'REGISTRY_KEY', 'NODE_KEY', 'DISCORD_TOKEN', 'nodeKey', 'registryKey', 'discordToken']

/**
 * JSON lines on stdout. Errors are logged once, at the edge that handles them, with the request's id.
 * @param secrets values that are cut out of every line wherever they stand: a library's error message may quote one.
 */
export function createLog(level: string, secrets: readonly string[] = [], destination?: DestinationStream): Log {
  const hidden = secrets.filter((secret) => secret.length >= 8)
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[hidden]' },
      serializers: { err: describeError },
      hooks: {
        streamWrite: (line) => hidden.reduce((text, secret) => text.replaceAll(secret, '[hidden]'), line)
      }
    },
    destination
  )
}

/** For tests and parts that are run without a log. */
export const silentLog: Log = pino({ level: 'silent' })

/** An address whose path is a key: whoever has it may answer in the bot's name. */
const WEBHOOK = /\/(webhooks|interactions)\/(\d+)\/[^/\s"?]+/g

/**
 * What a log says of an error: what it is and where it came from. Never all of it: a library's error carries the request, and with that a token,
 * what a member wrote, or a whole file.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error).slice(0, 500)
  const { name, message, stack } = error
  const plain = (text: string) => text.replace(WEBHOOK, '/$1/$2/[hidden]').slice(0, 4000)
  return {
    type: name,
    message: plain(message),
    ...('code' in error && { code: error.code }),
    ...('status' in error && { status: error.status }),
    stack: plain(stack ?? ''),
    ...(error.cause !== undefined && { cause: describeError(error.cause) })
  }
}
