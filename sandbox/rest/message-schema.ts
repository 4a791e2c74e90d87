import { z } from 'zod'
import { actionRow, refuseDuplicates } from './component-schema.ts'

/** How Discord checks what a message is made of. Bounds: its documentation of messages, embeds and components. */

const text = (max: number) => z.string().max(max)
const embed = z.looseObject({
  title: text(256).nullish(),
  description: text(4096).nullish(),
  url: text(2048).nullish(),
  timestamp: z.string().nullish(),
  color: z.int().min(0).max(0xffffff).nullish(),
  footer: z.looseObject({ text: text(2048) }).nullish(),
  author: z.looseObject({ name: text(256) }).nullish(),
  fields: z.array(z.looseObject({ name: text(256).min(1), value: text(1024).min(1) })).max(25).nullish()
})

const EMBED_CHARACTERS_MAX = 6000

const embeds = z
  .array(embed)
  .max(10)
  .superRefine((rows, context) => {
    const total = rows.reduce((sum, row) => {
      const fields = (row.fields ?? []).reduce((length, { name, value }) => length + name.length + value.length, 0)
      return sum + fields + [row.title, row.description, row.footer?.text, row.author?.name].reduce((length, part) => length + (part?.length ?? 0), 0)
    }, 0)
    if (total > EMBED_CHARACTERS_MAX) {
      context.addIssue({ code: 'custom', message: `Embed size exceeds maximum size of ${EMBED_CHARACTERS_MAX}`, params: { discord: 'MAX_EMBED_SIZE_EXCEEDED' } })
    }
  })

/** The layout components of newer messages (flag 32768): only counted. */
const layout = z.looseObject({ type: z.int().min(9).max(20) })

const snowflake = z.string().regex(/^\d{1,20}$/)

export const AllowedMentionsBody = z
  .object({
    parse: z.array(z.enum(['users', 'roles', 'everyone'])).optional(),
    users: z.array(snowflake).max(100).optional(),
    roles: z.array(snowflake).max(100).optional(),
    replied_user: z.boolean().optional()
  })
  .superRefine((allowed, context) => {
    for (const kind of ['users', 'roles'] as const) {
      if (allowed.parse?.includes(kind) && allowed[kind]?.length) {
        const message = `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`
        context.addIssue({ code: 'custom', path: ['parse'], message, params: { discord: 'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE' } })
      }
    }
  })

/** Kept attachments (their id), and new ones (`id` is the n of `files[n]`). */
const attachment = z.looseObject({
  id: z.union([z.string(), z.int()]).transform(String),
  filename: text(260).optional(),
  description: text(1024).nullish(),
  duration_secs: z.number().min(0).max(1200).nullish(),
  waveform: z.string().max(400).nullish()
})

export const MessageBody = z.looseObject({
  content: z.string().max(2000).nullish(),
  embeds: embeds.nullish(),
  components: z.array(z.union([actionRow, layout])).max(40).superRefine(refuseDuplicates).nullish(),
  attachments: z.array(attachment).max(10).nullish(),
  allowed_mentions: AllowedMentionsBody.nullish(),
  flags: z.int().min(0).nullish(),
  tts: z.boolean().nullish(),
  nonce: z.union([z.string(), z.number()]).nullish(),
  message_reference: z.looseObject({ message_id: snowflake, fail_if_not_exists: z.boolean().optional() }).nullish()
})
export type MessageBody = z.infer<typeof MessageBody>
