import { componentsIn } from './acts/chosen.ts'
import type { Component } from './acts/chosen.ts'
import type { Stage } from './stage.ts'
import type { Interaction, Message } from './world.ts'

export interface Panel {
  /** As it reads now. */
  message(): Message
  /** The control whose id goes on like this after the command's name. @throws when there is none */
  control(id: string): Component & { custom_id: string }
  /** The values of a menu that are chosen as it is shown. */
  on(id: string): string[]
  press(name: string, id: string): Promise<Interaction>
  choose(name: string, id: string, ...values: string[]): Promise<Interaction>
}

/** For tests: a bot's message with controls, used by people as they would in the client. Each press is waited for until the bot has answered it. */
export function panelOf(stage: Stage, { id: messageId }: Message, command: string): Panel {
  const { act, world } = stage.sandbox
  const message = () => {
    const found = world.messages.get(messageId)
    if (found === undefined) throw new Error('the panel is gone')
    return found
  }
  function control(id: string): Component & { custom_id: string } {
    const found = [...componentsIn(message().components)].find((each) => each.custom_id?.startsWith(`${command}:${id}`))
    if (found?.custom_id === undefined) throw new Error(`the panel has no ${id}: ${JSON.stringify(message().components)}`)
    return { ...found, custom_id: found.custom_id }
  }
  return {
    message,
    control,
    on: (id) => (control(id).options ?? []).filter((option) => option['default'] === true).map(({ value }) => value),
    press: (name, id) => answered(stage, act.button(stage.person(name), messageId, control(id).custom_id)),
    choose: (name, id, ...values) => answered(stage, act.select(stage.person(name), messageId, control(id).custom_id, values))
  }
}

/** @throws when the bot leaves it without an answer */
export async function answered(stage: Stage, interaction: Interaction): Promise<Interaction> {
  await stage.sandbox.act.until(() => interaction.state !== 'waiting')
  if (interaction.state === 'failed') throw new Error('the bot did not answer')
  return interaction
}

/** What the bot said to it in a message of its own. */
export const saidTo = (stage: Stage, { messageIds }: Interaction): string | undefined => stage.sandbox.world.messages.get(messageIds[0] ?? '')?.content
