import { randomBytes } from 'node:crypto'

const WELL_FORMED = /^[\w.-]{1,64}$/

/** The id of a request in every log line and answer about it: the caller's where it has a plain one, else a new one of 16 hex digits. */
export function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === 'string' && WELL_FORMED.test(given) ? given : randomBytes(8).toString('hex')
}
