import { isLocal } from '../caller.ts'
import type { Asking } from '../caller.ts'
import type { Admission } from './admission.ts'
import type { ApiKey, ApiKeys } from './api-keys.ts'

/** Who may ask: `callerId` is the key's id, or `local`. `leave` gives the key's place back. */
export type Admitted =
  | { ok: true; callerId: string; leave: () => void }
  | { ok: false; reason: 'no_key' | 'wrong_key' }
  | { ok: false; reason: 'rate' | 'concurrency'; retryAfterMs: number }

export type Refused = Exclude<Admitted, { ok: true }>

/** What a caller is told who may not ask, and in how many whole seconds it may be otherwise. */
export function wordsOf(refused: Refused): { message: string; retryAfterS?: number } {
  switch (refused.reason) {
    case 'no_key':
      return { message: 'An API key is needed: Authorization: Bearer vox-... The bot’s admins make one with /keys make.' }
    case 'wrong_key':
      return { message: 'There is no such API key. From this machine itself none is needed: then send no Authorization header.' }
    case 'rate':
    case 'concurrency':
      return { message: `This API key may not ask for more ${refused.reason === 'rate' ? 'in a minute' : 'at once'}.`, retryAfterS: Math.max(1, Math.ceil(refused.retryAfterMs / 1_000)) }
  }
}

export type Admit = (incoming: Asking) => Admitted

/** Of callers without a key: programs on this machine alone. */
export const LOCAL_CALLER = 'local'

/** Whether the caller is one who may ask, now or when its key's limits allow it. Asking this costs the key nothing. */
export function isKnown(keys: Pick<ApiKeys, 'keyOf'>, incoming: Asking): boolean {
  const caller = callerOf(keys, incoming)
  return caller !== 'stranger' && caller !== 'wrong'
}

function callerOf(keys: Pick<ApiKeys, 'keyOf'>, incoming: Asking): ApiKey | 'local' | 'stranger' | 'wrong' {
  const { authorization } = incoming.headers
  if (authorization === undefined) return isLocal(incoming) ? 'local' : 'stranger'
  const [, secret] = /^Bearer +(\S{1,256})$/i.exec(authorization) ?? []
  return (secret === undefined ? undefined : keys.keyOf(secret)) ?? 'wrong'
}

/** Lets a caller in by its API key, within that key's limits; without any key only from this machine. A wrong key is refused from there too: it is a mistake that should be seen. */
export function createAdmit(keys: Pick<ApiKeys, 'keyOf'>, admission: Admission): Admit {
  return (incoming) => {
    const caller = callerOf(keys, incoming)
    if (caller === 'local') return { ok: true, callerId: LOCAL_CALLER, leave() {} }
    if (typeof caller === 'string') return { ok: false, reason: caller === 'wrong' ? 'wrong_key' : 'no_key' }
    const entered = admission.enter(caller)
    return entered.ok ? { ok: true, callerId: caller.id, leave: entered.leave } : entered
  }
}
