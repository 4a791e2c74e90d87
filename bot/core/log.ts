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
      hooks: {
        streamWrite: (line) => hidden.reduce((text, secret) => text.replaceAll(secret, '[hidden]'), line)
      }
    },
    destination
  )
}

/** For tests and parts that are run without a log. */
export const silentLog: Log = pino({ level: 'silent' })
