import type { HttpBindings } from '@hono/node-server'
import type { Ended } from './measure.ts'

/** What every handler of the entry finds: Node's own request and answer, and the id of this request. */
export interface EntryEnvironment {
  Bindings: HttpBindings
  Variables: {
    requestId: string
    /** Set where the request went to an upstream or a node: how long it waited there, and what failed. */
    measured?: Pick<Ended, 'queueMs' | 'failure'>
    /** Who asks the speech API: the id of an API key, or that of this machine’s own programs. */
    callerId?: string
  }
}
