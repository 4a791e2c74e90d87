import { z } from 'zod'
import { resolveId } from './resolved.ts'
import type { Resolved } from './resolved.ts'
import { Refusal } from './refusal.ts'
import type { Guild, World } from '../world.ts'

/** A button, a select or an input, with the parts that the client looks at. */
export const Component = z.looseObject({
  type: z.int(),
  custom_id: z.string().optional(),
  disabled: z.boolean().optional(),
  required: z.boolean().optional(),
  value: z.string().optional(),
  min_length: z.int().optional(),
  max_length: z.int().optional(),
  min_values: z.int().optional(),
  max_values: z.int().optional(),
  channel_types: z.array(z.int()).optional(),
  options: z.array(z.looseObject({ value: z.string() })).optional()
})
export type Component = z.infer<typeof Component>

/** Every component below these, however deep layouts nest. */
export function* componentsIn(value: unknown): Generator<Component> {
  if (Array.isArray(value)) for (const item of value) yield* componentsIn(item)
  else if (typeof value === 'object' && value !== null) {
    const parsed = Component.safeParse(value)
    if (parsed.success) yield parsed.data
    const { components, component, accessory } = value as Record<string, unknown>
    yield* componentsIn([components, component, accessory])
  }
}

const TEXTS = 3
/** The selects of users, roles, mentionables and channels, and the command options of the same kind. */
const OPTION_TYPE: Readonly<Record<number, number>> = { 5: 6, 6: 8, 7: 9, 8: 7 }

export const isSelect = ({ type }: Component): boolean => type === TEXTS || type in OPTION_TYPE

/** Checks what somebody chose in a select; gives what it names by id. @throws Refusal when the client would not let them */
export function chosen(world: World, guild: Guild, select: Component, values: readonly string[]): Resolved {
  const { type, min_values: min = 1, max_values: max = 1 } = select
  if (values.length < min || values.length > max || new Set(values).size < values.length) throw new Refusal(min === max ? `Choose ${min}.` : `Choose ${min} to ${max}.`)
  const resolved: Resolved = {}
  for (const value of values) {
    const isThere = type === TEXTS ? select.options?.some((option) => option.value === value) : isNamed(world, guild, select, value, resolved)
    if (isThere !== true) throw new Refusal('This is not one of the options.')
  }
  return resolved
}

/** The role of everybody is in no select. */
const isNamed = (world: World, guild: Guild, { type, channel_types: kinds }: Component, id: string, into: Resolved): boolean =>
  id !== guild.id && resolveId(world, guild, { type: OPTION_TYPE[type] ?? 0, ...(kinds && { channel_types: kinds }) }, id, into)
