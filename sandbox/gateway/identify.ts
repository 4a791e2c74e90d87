import { z } from 'zod'
import { CLOSE } from './connection.ts'
import { INTENTS_ALL } from './session.ts'

const IdentifyBody = z.looseObject({
  token: z.string(),
  intents: z.int(),
  compress: z.boolean().optional(),
  shard: z.tuple([z.int(), z.int()]).default([0, 1]),
  properties: z.looseObject({})
})
const ResumeBody = z.looseObject({ token: z.string(), session_id: z.string(), seq: z.int().nullable() })

export type Read<T> = { ok: true; body: T } | { ok: false; code: number; reason: string }

const refused = (code: number, reason: string) => ({ ok: false as const, code, reason })
const undecodable = refused(CLOSE.decodeError, 'Error while decoding payload.')
const hasToken = (given: string, token: string) => given.replace(/^Bot /, '') === token

/** Op 2, or the close code with which Discord refuses it. */
export function readIdentify(data: unknown, { token, disallowedIntents }: { token: string; disallowedIntents: number }): Read<z.infer<typeof IdentifyBody>> {
  const parsed = IdentifyBody.safeParse(data)
  if (!parsed.success) return undecodable
  const body = parsed.data
  const [shardId, shardCount] = body.shard
  if (!hasToken(body.token, token)) return refused(CLOSE.authenticationFailed, 'Authentication failed.')
  if (shardCount < 1 || shardId < 0 || shardId >= shardCount) return refused(CLOSE.invalidShard, 'Invalid shard.')
  if (body.intents < 0 || body.intents > INTENTS_ALL) return refused(CLOSE.invalidIntents, 'Invalid intent(s).')
  if (body.intents & disallowedIntents) return refused(CLOSE.disallowedIntents, 'Disallowed intent(s).')
  return { ok: true, body }
}

/** Op 6, or the close code with which Discord refuses it. */
export function readResume(data: unknown, token: string): Read<z.infer<typeof ResumeBody>> {
  const parsed = ResumeBody.safeParse(data)
  if (!parsed.success) return undecodable
  if (!hasToken(parsed.data.token, token)) return refused(CLOSE.authenticationFailed, 'Authentication failed.')
  return { ok: true, body: parsed.data }
}
