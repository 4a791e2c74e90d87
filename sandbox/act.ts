import type { Clock } from '../bot/core/clock.ts'
import { commandActs } from './acts/commands.ts'
import { componentActs } from './acts/components.ts'
import { messageActs } from './acts/messages.ts'
import { peopleActs } from './acts/people.ts'
import { serverActs } from './acts/server.ts'
import { uploadActs } from './acts/uploads.ts'
import { voiceActs } from './acts/voice.ts'
import { createWaits } from './acts/waits.ts'
import type { BotVoice } from './gateway/bot-voice.ts'
import type { World } from './world.ts'

export interface ActDeps {
  world: World
  /** Discord's time. */
  clock: Clock
  /** The time of who waits. */
  wireClock: Clock
  botVoice: BotVoice
}

export type Acts = ReturnType<typeof createActs>

/**
 * What people do in Discord's client. What the client would not let them do is thrown as a `Refusal`, in its words;
 * everything else happens at once, and the bot hears of it through the gateway.
 */
export function createActs({ world, clock, wireClock, botVoice }: ActDeps) {
  const waits = createWaits(world, wireClock)

  return {
    ...commandActs(world, clock, waits),
    ...componentActs(world, clock),
    ...voiceActs(world, botVoice),
    ...serverActs(world, botVoice),
    ...messageActs(world, clock),
    ...peopleActs(world),
    ...uploadActs(world),
    ...waits
  }
}
