import type { IncomingMessage } from 'node:http'
import { isLocal } from '../caller.ts'
import type { Admission } from './admission.ts'
import type { ApiKeys } from './api-keys.ts'

/** Who may ask: `callerId` is the key's id, or `local`. `leave` gives the key's place back. */
export type Admitted =
  | { ok: true; callerId: string; leave: () => void }
  | { ok: false; reason: 'no_key' | 'wrong_key' }
  | { ok: false; reason: 'rate' | 'concurrency'; retryAfterMs: number }

export type Admit = (incoming: IncomingMessage) => Admitted

/** Of callers without a key: programs on this machine alone. */
export const LOCAL_CALLER = 'local'

/** Lets a caller in by its API key, within that key's limits; without any key only from this machine. A wrong key is refused from there too: it is a mistake that should be seen. */
export function createAdmit(keys: Pick<ApiKeys, 'keyOf'>, admission: Admission): Admit {
  return (incoming) => {
    const { authorization } = incoming.headers
    if (authorization === undefined) return isLocal(incoming) ? { ok: true, callerId: LOCAL_CALLER, leave() {} } : { ok: false, reason: 'no_key' }
    const [, secret] = /^Bearer +(\S{1,256})$/i.exec(authorization) ?? []
    const key = secret === undefined ? undefined : keys.keyOf(secret)
    if (key === undefined) return { ok: false, reason: 'wrong_key' }
    const entered = admission.enter(key)
    return entered.ok ? { ok: true, callerId: key.id, leave: entered.leave } : entered
  }
}
