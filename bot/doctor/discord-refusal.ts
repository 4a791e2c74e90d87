import type { RESTOptions } from 'discord.js'
import { request } from '../discord/request.ts'

/** Discord, or what stands before it, does not serve this machine for now, or this token there. `waitSec`: for how long, where it tells. */
export class Refused extends Error {
  readonly status: number
  readonly waitSec: number | undefined

  constructor(status: number, retryAfter: string | null) {
    super(`status ${status}`)
    this.status = status
    const seconds = Math.ceil(Number(retryAfter))
    this.waitSec = seconds > 0 && Number.isFinite(seconds) ? seconds : undefined
  }
}

/** The first 429 is the answer, too: discord.js would sit it out, or ask again without a pause where it does not say for how long. */
export const requestOnce: RESTOptions['makeRequest'] = async (url, init) => {
  const answer = await request(url, init)
  const { status, headers } = answer
  if (status === 403 || status === 429 || status >= 500) throw new Refused(status, headers.get('retry-after'))
  return answer
}
