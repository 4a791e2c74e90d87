import type { Guild, World } from '../world.ts'
import { resolveId, resolveMentions, resolveUpload } from './resolved.ts'
import type { Resolved } from './resolved.ts'
import { Refusal } from './refusal.ts'

export type OptionValue = string | number | boolean

/** The parts of a registered option that the client looks at; what it holds was checked at registration. */
export interface Option {
  type: number
  name: string
  required?: boolean
  autocomplete?: boolean
  choices?: { name: string; value: string | number }[]
  options?: Option[]
  min_value?: number
  max_value?: number
  min_length?: number
  max_length?: number
  channel_types?: number[]
}

export interface CommandPath {
  subcommand?: string
  subcommandGroup?: string
}

export interface FilledOptions {
  /** As INTERACTION_CREATE nests them. */
  options: unknown[]
  resolved: Resolved
}

interface FillContext {
  world: World
  guild: Guild
  userId: string
  /** While typing: what is missing or unfinished is no fault yet; this option is the one being typed. */
  focused?: string
}

/** What Discord's client makes of the given values. @throws Refusal with the option's name, where the client shows red */
export function fillOptions(command: Record<string, unknown>, values: Record<string, OptionValue>, path: CommandPath, context: FillContext): FilledOptions {
  const { leaves, wrap } = descend((command['options'] as Option[] | undefined) ?? [], path)
  const unknown = Object.keys(values).find((name) => !leaves.some((option) => option.name === name))
  if (unknown !== undefined) throw new Refusal(`There is no option "${unknown}".`)
  if (context.focused !== undefined && !leaves.some(({ name, autocomplete }) => name === context.focused && autocomplete)) {
    throw new Refusal(`"${context.focused}" has no suggestions.`)
  }
  const resolved: Resolved = {}
  const filled = leaves.flatMap((option) => {
    const value = values[option.name]
    const isFocused = option.name === context.focused
    if (value === undefined && !isFocused) {
      if (option.required && context.focused === undefined) throw new Refusal(`${option.name}: This option is required.`)
      return []
    }
    if (isFocused) return [{ name: option.name, type: option.type, value: String(value ?? ''), focused: true }]
    return [{ name: option.name, type: option.type, value: checked(option, value ?? '', resolved, context) }]
  })
  return { options: wrap(filled), resolved }
}

/** Goes down to the chosen subcommand; `wrap` nests the leaves as deep again. */
function descend(options: readonly Option[], { subcommand, subcommandGroup }: CommandPath): { leaves: readonly Option[]; wrap: (leaves: unknown[]) => unknown[] } {
  let leaves = options
  const steps: { name: string; type: number }[] = []
  const step = (name: string | undefined, type: number) => {
    const choices = leaves.filter((option) => option.type === type)
    if (name === undefined) return
    const found = choices.find((option) => option.name === name)
    if (!found) throw new Refusal(`There is no subcommand "${name}".`)
    steps.unshift({ name, type })
    leaves = found.options ?? []
  }
  step(subcommandGroup, 2)
  step(subcommand, 1)
  if (leaves.some(({ type }) => type <= 2)) throw new Refusal('Choose a subcommand.')
  return { leaves, wrap: (filled) => steps.reduce<unknown[]>((inner, { name, type }) => [{ name, type, options: inner }], filled) }
}

function checked(option: Option, value: OptionValue, resolved: Resolved, { world, guild, userId }: FillContext): OptionValue {
  const refuse = (why: string) => new Refusal(`${option.name}: ${why}`)
  if (option.choices?.length && !option.choices.some((choice) => choice.value === value)) throw refuse('Choose one of the given choices.')
  switch (option.type) {
    case 3: {
      if (typeof value !== 'string') throw refuse('Enter a text.')
      // Every client refuses an empty value; the sandbox's person may try with spaces, which are sent as they are.
      if (value === '' && option.required) throw refuse('This option is required.')
      const { min_length: min = 0, max_length: max = 6000 } = option
      if (value.length < min || value.length > max) throw refuse(`Enter ${min} to ${max} characters.`)
      resolveMentions(world, guild, value, resolved)
      return value
    }
    case 4:
    case 10: {
      if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) throw refuse('Enter a number.')
      if (option.type === 4 && !Number.isInteger(value)) throw refuse('Enter a whole number.')
      if (option.min_value !== undefined && value < option.min_value) throw refuse(`Enter at least ${option.min_value}.`)
      if (option.max_value !== undefined && value > option.max_value) throw refuse(`Enter at most ${option.max_value}.`)
      return value
    }
    case 5:
      if (typeof value !== 'boolean') throw refuse('Choose true or false.')
      return value
    case 11:
      if (!resolveUpload(world, userId, String(value), resolved)) throw refuse('Choose a file.')
      return String(value)
    default: {
      const id = typeof value === 'string' ? value : ''
      if (!resolveId(world, guild, option, id, resolved)) throw refuse('Not found.')
      return id
    }
  }
}
