import type { Clock } from '../../bot/core/clock.ts'
import type { Links } from '../payload/message.ts'
import type { World } from '../world.ts'
import type { Switches } from '../switches.ts'

/** What the routes work with. */
export interface RestDeps {
  world: World
  /** Discord's own time: stamps, the 3 s and 15 min limits. */
  clock: Clock
  /** The time that its clients live in: rate limits. */
  wireClock: Clock
  links: Links
  switches: Switches
  /** `ws://` address of the gateway. */
  gatewayUrl: () => string
}
