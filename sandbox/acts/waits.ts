import type { Clock } from '../../bot/core/clock.ts'
import type { Interaction, Message, World, WorldEvents } from '../world.ts'

const WAIT_LIMIT_MS = 20_000

export interface Waits {
  /** Resolves once it is true; looks again at every change of the world. @throws after `limitMs` (20 s) */
  until(isTrue: () => boolean, limitMs?: number): Promise<void>
  /** The bot's final reply: the first one, or the edit of a deferred one. @throws when it fails, is deleted, or does not come within `limitMs` (20 s) */
  replyOf(interactionId: string, limitMs?: number): Promise<Message>
}

const EVENTS: (keyof WorldEvents)[] = ['message', 'messageEdited', 'messageDeleted', 'voiceState', 'interaction', 'interactionChanged', 'commands']

export function createWaits(world: World, clock: Clock): Waits {
  function until(isTrue: () => boolean, limitMs = WAIT_LIMIT_MS): Promise<void> {
    return new Promise((resolve, reject) => {
      const finish = (end: () => void) => {
        for (const name of EVENTS) world.events.off(name, look)
        cancel()
        end()
      }
      const look = () => {
        if (isTrue()) finish(resolve)
      }
      const cancel = clock.after(limitMs, () => finish(() => reject(new Error(`it did not happen within ${limitMs} ms`))))
      for (const name of EVENTS) world.events.on(name, look)
      look()
    })
  }

  return {
    until,
    async replyOf(interactionId, limitMs) {
      const interaction = (): Interaction => {
        const found = world.interactions.get(interactionId)
        if (!found) throw new Error(`there is no interaction ${interactionId}`)
        return found
      }
      interaction()
      await until(() => interaction().state === 'answered' || interaction().state === 'failed', limitMs)
      const { state, messageIds, sourceMessageId, commandName } = interaction()
      const reply = world.messages.get(messageIds[0] ?? sourceMessageId ?? '')
      if (state === 'failed') throw new Error(`the application did not respond to /${commandName}`)
      if (!reply) throw new Error(`the reply to /${commandName} was deleted, or there was none`)
      return reply
    }
  }
}
