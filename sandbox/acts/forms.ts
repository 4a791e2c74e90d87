import type { Guild, World } from '../world.ts'
import { chosen, componentsIn, isSelect } from './chosen.ts'
import type { Component } from './chosen.ts'
import type { Resolved } from './resolved.ts'
import { Refusal } from './refusal.ts'

/** What somebody wrote or chose, by the `custom_id` of the field; what is absent is left as the form came. */
export type Answers = Readonly<Record<string, string | readonly string[]>>

/** A form as it is sent, its fields in the labels or rows in which they came. @throws Refusal with the reason, where the client shows red */
export function filledForm(world: World, guild: Guild, form: Record<string, unknown>, answers: Answers): Record<string, unknown> {
  const resolved: Resolved = {}
  const answer = (field: Component) => {
    const { type, custom_id } = field
    const given = answers[custom_id ?? '']
    if (type === 4) return { type, custom_id, value: checkedText(field, typeof given === 'string' ? given : (field.value ?? '')) }
    const values = Array.isArray(given) ? given.map(String) : []
    const min = field.required === false && values.length === 0 ? 0 : (field.min_values ?? 1)
    Object.assign(resolved, chosen(world, guild, { ...field, min_values: min }, values))
    return { type, custom_id, values }
  }
  const isField = (component: Component) => component.type === 4 || isSelect(component)
  const components = (form['components'] as { type: number; component?: unknown; components?: unknown }[]).map(({ type, component, components: row }) =>
    component === undefined ? { type, components: [...componentsIn(row)].filter(isField).map(answer) } : { type, component: [...componentsIn(component)].filter(isField).map(answer)[0] }
  )
  return { custom_id: form['custom_id'], components, ...(Object.keys(resolved).length > 0 && { resolved }) }
}

function checkedText({ required = true, min_length: min = 0, max_length: max = 4000 }: Component, value: string): string {
  if (value === '' && required) throw new Refusal('This field is required.')
  if (value.length > max || (value !== '' && value.length < min)) throw new Refusal(`Enter ${min} to ${max} characters.`)
  return value
}
