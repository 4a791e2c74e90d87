import type { Clock } from '../../bot/core/clock.ts'
import type { Interaction, World, WorldEvents } from '../world.ts'
import { eventStream } from './event-stream.ts'
import { commandsView, interactionView, isShown, messageView, snapshot, voiceView } from './snapshot.ts'

/** A fresh snapshot, then every change of the world as it happens: whoever reconnects needs nothing else. */
export function worldEvents(world: World, clock: Clock): Response {
  return eventStream(clock, (send) => {
    const sendInteraction = (interaction: Interaction) => {
      if (isShown(interaction)) send('interaction', interactionView(interaction))
    }
    const handlers: { [Name in keyof WorldEvents]?: (...args: WorldEvents[Name]) => void } = {
      message: (message) => send('message', messageView(message)),
      messageEdited: (message) => send('message', messageView(message)),
      messageDeleted: ({ id }) => send('messageDeleted', { id }),
      interaction: sendInteraction,
      interactionChanged: sendInteraction,
      commands: () => send('commands', commandsView(world)),
      voiceState: (guildId) => {
        const guild = world.guilds.get(guildId)
        if (guild) send('voice', voiceView(guild))
      }
    }
    send('snapshot', snapshot(world, clock.now()))
    const names = Object.keys(handlers) as (keyof WorldEvents)[]
    for (const name of names) world.events.on(name, handlers[name] as () => void)
    return () => {
      for (const name of names) world.events.off(name, handlers[name] as () => void)
    }
  })
}
