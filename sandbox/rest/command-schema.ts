import { Locale } from 'discord-api-types/v10'
import { z } from 'zod'

/** How Discord checks application commands at registration. Bounds: its documentation of application commands. */

const LOCALES = Object.values(Locale)
const CHAT_NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u
const COMMAND_CHARACTERS_MAX = 8_000

function fault(context: z.RefinementCtx, path: PropertyKey[], discord: string, message: string): void {
  context.addIssue({ code: 'custom', path, message, params: { discord } })
}

const lowerCase = (name: string) => name === name.toLowerCase()
const chatName = z
  .string()
  .min(1)
  .max(32)
  .regex(CHAT_NAME)
  .refine(lowerCase, { error: 'Command name is invalid', params: { discord: 'APPLICATION_COMMAND_INVALID_NAME' } })
const description = z.string().min(1).max(100)
const localizations = (text: z.ZodString) => z.partialRecord(z.enum(LOCALES), text.nullable()).nullable().optional()

const choice = z.object({
  name: z.string().min(1).max(100),
  name_localizations: localizations(z.string().min(1).max(100)),
  value: z.union([z.string().max(100), z.number()])
})

const bounds = {
  min_value: z.number().optional(),
  max_value: z.number().optional(),
  min_length: z.int().min(0).max(6000).optional(),
  max_length: z.int().min(1).max(6000).optional()
}

const named = { name: chatName, name_localizations: localizations(chatName), description, description_localizations: localizations(description) }

const leaf = z
  .object({
    ...named,
    ...bounds,
    type: z.literal([3, 4, 5, 6, 7, 8, 9, 10, 11]),
    required: z.boolean().optional(),
    autocomplete: z.boolean().optional(),
    choices: z.array(choice).max(25).optional(),
    channel_types: z.array(z.int()).optional()
  })
  .superRefine((option, context) => {
    if (option.autocomplete && option.choices?.length) {
      fault(context, ['autocomplete'], 'APPLICATION_COMMAND_OPTION_AUTOCOMPLETE_CHOICES_INVALID', 'Autocomplete and choices exclude each other')
    }
    option.choices?.forEach(({ value }, index) => {
      const fits = option.type === 3 ? typeof value === 'string' : option.type === 4 ? Number.isInteger(value) : typeof value === 'number'
      if (!fits) fault(context, ['choices', index, 'value'], 'APPLICATION_COMMAND_OPTION_CHOICE_INVALID', 'The value is not of the type of its option')
    })
    if (duplicates(option.choices ?? [])) fault(context, ['choices'], 'APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_DUPLICATE', 'Choice names must be unique')
  })

const leaves = z.array(leaf).max(25).superRefine(optionRules).optional()
const subcommand = z.object({ ...named, type: z.literal(1), options: leaves })
const group = z.object({ ...named, type: z.literal(2), options: z.array(subcommand).min(1).max(25).superRefine(optionRules) })
const option = z.discriminatedUnion('type', [leaf, subcommand, group])

const settings = {
  default_member_permissions: z.string().regex(/^\d{1,20}$/).nullable().optional(),
  dm_permission: z.boolean().nullable().optional(),
  nsfw: z.boolean().optional(),
  contexts: z.array(z.literal([0, 1, 2])).nullable().optional(),
  integration_types: z.array(z.literal([0, 1])).nullable().optional()
}

const chatInput = z.object({
  ...named,
  ...settings,
  type: z.literal(1).optional(),
  options: z.array(option).max(25).superRefine(optionRules).optional()
})
const contextMenu = z.object({ ...settings, type: z.literal([2, 3]), name: z.string().min(1).max(32), name_localizations: localizations(z.string().min(1).max(32)) })

/** One command as a bot registers it. */
export const CommandBody = z.union([contextMenu, chatInput]).superRefine((command, context) => {
  if (characters(command) > COMMAND_CHARACTERS_MAX) {
    fault(context, ['options'], 'APPLICATION_COMMAND_TOO_LARGE', `Command exceeds maximum size (${COMMAND_CHARACTERS_MAX})`)
  }
})
export type CommandBody = z.infer<typeof CommandBody>

function duplicates(rows: readonly { name: string }[]): boolean {
  return new Set(rows.map(({ name }) => name)).size < rows.length
}

function optionRules(options: readonly { name: string; type: number; required?: boolean | undefined }[], context: z.RefinementCtx): void {
  if (duplicates(options)) fault(context, [], 'APPLICATION_COMMAND_OPTIONS_NAME_INVALID', 'Option names must be unique')
  const kinds = new Set(options.map(({ type }) => type <= 2))
  if (kinds.size > 1) fault(context, [], 'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID', 'Sub-command and sub-command group option types are mutually exclusive to all other types')
  options.forEach(({ required }, index) => {
    if (required && options.slice(0, index).some((earlier) => !earlier.required)) {
      fault(context, [index], 'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID', 'Required options must be placed before non-required options')
    }
  })
}

/** Names, descriptions and choice values of the whole command, as Discord adds them up. */
function characters(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + characters(item), 0)
  if (typeof value !== 'object' || value === null) return 0
  return Object.entries(value).reduce((sum, [key, inner]) => {
    const counted = (key === 'name' || key === 'description' || key === 'value') && typeof inner === 'string'
    return sum + (counted ? inner.length : characters(inner))
  }, 0)
}
