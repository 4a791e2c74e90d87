import { z } from 'zod'

/** How Discord checks buttons, selects and forms. Bounds: its reference of components. */

const text = (max: number) => z.string().max(max)
const customId = text(100).min(1)

const button = z.looseObject({
  type: z.literal(2),
  style: z.int().min(1).max(6),
  label: text(80).nullish(),
  custom_id: customId.optional(),
  url: text(512).optional(),
  disabled: z.boolean().optional()
})

const base = {
  custom_id: customId,
  placeholder: text(150).nullish(),
  min_values: z.int().min(0).max(25).optional(),
  max_values: z.int().min(1).max(25).optional(),
  disabled: z.boolean().optional(),
  required: z.boolean().optional()
}
const textSelect = z.looseObject({
  ...base,
  type: z.literal(3),
  options: z.array(z.looseObject({ label: text(100).min(1), value: text(100).min(1), description: text(100).nullish(), default: z.boolean().optional() })).min(1).max(25)
})
const namedSelect = z.looseObject({
  ...base,
  type: z.literal([5, 6, 7, 8]),
  default_values: z.array(z.looseObject({ id: z.string().regex(/^\d{1,20}$/), type: z.enum(['user', 'role', 'channel']) })).max(25).optional()
})

/** Of the defaults of each kind of select. */
const NAMED: Readonly<Record<number, readonly string[]>> = { 5: ['user'], 6: ['role'], 7: ['user', 'role'], 8: ['channel'] }

const select = z.union([textSelect, namedSelect]).superRefine((given, context) => {
  const { min_values: min = 1, max_values: max = 1 } = given
  const refuse = (path: string, message: string, discord: string) => context.addIssue({ code: 'custom', path: [path], message, params: { discord } })
  if (min > max) refuse('min_values', 'The minimum is above the maximum.', 'BASE_TYPE_BAD_INT')
  if ('options' in given && given.type === 3) {
    const values = given.options.map(({ value }) => value)
    if (new Set(values).size < values.length) refuse('options', 'The specified option value is already used', 'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED')
    if (max > values.length) refuse('max_values', 'There are fewer options than that.', 'BASE_TYPE_BAD_INT')
    if (given.options.filter((option) => option.default).length > max) refuse('options', 'Too many default options.', 'SELECT_COMPONENT_TOO_MANY_DEFAULTS')
  } else if ('default_values' in given && Array.isArray(given.default_values)) {
    if (given.default_values.length > max) refuse('default_values', 'Too many default values.', 'SELECT_COMPONENT_TOO_MANY_DEFAULTS')
    if (given.default_values.some(({ type }) => NAMED[given.type]?.includes(type) !== true)) refuse('default_values', 'Of another type.', 'SELECT_COMPONENT_INVALID_DEFAULT_VALUE_TYPE')
  }
})

/** A select has a row of its own; buttons share one. */
export const actionRow = z.looseObject({ type: z.literal(1), components: z.union([z.array(button).min(1).max(5), z.array(select).length(1)]) })

/** An id that stands twice would not say which of the two was used. */
export function refuseDuplicates(rows: readonly unknown[], context: z.RefinementCtx): void {
  const ids = rows.flatMap((row) => z.object({ components: z.array(z.looseObject({ custom_id: z.string().optional() })) }).safeParse(row).data?.components ?? []).flatMap(({ custom_id: id }) => id ?? [])
  if (new Set(ids).size === ids.length) return
  context.addIssue({ code: 'custom', message: 'Component custom id cannot be duplicated', params: { discord: 'COMPONENT_CUSTOM_ID_DUPLICATED' } })
}

const textInput = z
  .looseObject({
    type: z.literal(4),
    custom_id: customId,
    style: z.int().min(1).max(2),
    label: text(45).nullish(),
    value: text(4000).min(1).optional(),
    placeholder: text(100).nullish(),
    min_length: z.int().min(0).max(4000).optional(),
    max_length: z.int().min(1).max(4000).optional(),
    required: z.boolean().optional()
  })
  .refine(({ value = '', max_length: max = 4000 }) => value.length <= max)
const label = z.looseObject({ type: z.literal(18), label: text(45).min(1), description: text(100).nullish(), component: z.union([textInput, select]) })
const inputRow = z.looseObject({ type: z.literal(1), components: z.array(textInput).length(1) })
const words = z.looseObject({ type: z.literal(10), content: text(4000).min(1) })

/** The form that an interaction may be answered with. */
export const Modal = z.looseObject({ custom_id: customId, title: text(45).min(1), components: z.array(z.union([label, inputRow, words])).min(1).max(5) })
