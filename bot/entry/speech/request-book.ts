import type { LoggedRequest } from '../../wire/node.ts'

/** The newest requests of contract 2's `GET /v1/requests/{id}`, without their texts; each is found by whoever sent it, and by nobody else. */
export interface RequestBook {
  add(callerId: string, entry: LoggedRequest): void
  find(callerId: string, requestId: string): LoggedRequest | undefined
}

const KEPT = 1_000

export function createRequestBook(): RequestBook {
  const entries = new Map<string, LoggedRequest>()
  return {
    add(callerId, entry) {
      const name = `${callerId} ${entry.requestId}`
      entries.delete(name)
      entries.set(name, entry)
      const [oldest] = entries.keys()
      if (entries.size > KEPT && oldest !== undefined) entries.delete(oldest)
    },
    find: (callerId, requestId) => entries.get(`${callerId} ${requestId}`)
  }
}
