import { Hono } from 'hono'
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import * as z from 'zod/mini'
import { Refusal } from '../acts/refusal.ts'
import type { PageActs } from './deps.ts'

const Id = z.string().check(z.regex(/^\d{1,20}$/))
const Name = z.string().check(z.minLength(1), z.maxLength(100))
const Options = z.record(Name, z.union([z.string().check(z.maxLength(6000)), z.number(), z.boolean()]))
const Path = z.object({ subcommand: z.optional(Name), subcommandGroup: z.optional(Name) })
const Place = { userId: Id, channelId: Id }

const Slash = z.object({ ...Place, commandName: Name, options: Options, path: Path })
const Autocomplete = z.object({ ...Place, commandName: Name, options: Options, path: Path, focused: Name })
const Menu = z.object({ userId: Id, messageId: Id, name: Name })
const Press = { userId: Id, messageId: Id, customId: Name }
const Button = z.object(Press)
const Select = z.object({ ...Press, values: z.array(Name).check(z.maxLength(25)) })
const Form = z.object({ interactionId: Id, answers: z.record(Name, z.union([z.string().check(z.maxLength(4000)), z.array(Name).check(z.maxLength(25))])) })
const Said = z.object({ ...Place, content: z.string().check(z.minLength(1), z.maxLength(4000)) })
const Join = z.object(Place)
const Leave = z.object({ userId: Id, guildId: Id })
const Upload = z.object({ ...Place, filename: Name })

/** Above what any server of the sandbox takes. */
const UPLOAD_MAX_BYTES = 32 * 1024 * 1024

/** What the acting member does, one POST each: 200 `{ok:true, result}`, or 400 `{ok:false, message}` with a line for people. */
export function actRoutes(act: PageActs): Hono {
  const routes = new Hono()
  const on = <Schema extends z.ZodMiniType>(name: string, schema: Schema, run: (body: z.infer<Schema>) => unknown) =>
    routes.post(`/${name}`, async (c) => {
      const body = schema.safeParse(await c.req.json().catch(() => undefined))
      return body.success ? answer(c, () => run(body.data)) : c.json({ ok: false, message: `Not understood: ${z.prettifyError(body.error)}` }, 400)
    })

  const tooMuch = (c: Context) => c.json({ ok: false, message: 'That is too much at once.' }, 413)
  // A file comes as it is, with its name and its place in the address; the sandbox's server says itself how large it may be.
  routes.post('/upload', bodyLimit({ maxSize: UPLOAD_MAX_BYTES, onError: tooMuch }), async (c) => {
    const query = Upload.safeParse(c.req.query())
    if (!query.success) return c.json({ ok: false, message: `Not understood: ${z.prettifyError(query.error)}` }, 400)
    const { userId, channelId, filename } = query.data
    const contentType = c.req.header('content-type') ?? 'application/octet-stream'
    const bytes = new Uint8Array(await c.req.arrayBuffer())
    return answer(c, () => act.upload(userId, channelId, { filename, contentType, bytes }))
  })
  routes.use(bodyLimit({ maxSize: 64 * 1024, onError: tooMuch }))
  on('slash', Slash, (body) => void act.slash(body.userId, body.channelId, body.commandName, body.options, path(body.path)))
  on('autocomplete', Autocomplete, (body) =>
    act.autocomplete(body.userId, body.channelId, body.commandName, body.options, body.focused, path(body.path))
  )
  on('menu', Menu, (body) => void act.menu(body.userId, body.messageId, body.name))
  on('button', Button, (body) => void act.button(body.userId, body.messageId, body.customId))
  on('select', Select, (body) => void act.select(body.userId, body.messageId, body.customId, body.values))
  on('form', Form, (body) => void act.submitForm(body.interactionId, body.answers))
  on('message', Said, (body) => void act.sendMessage(body.userId, body.channelId, body.content))
  on('join', Join, (body) => act.joinVoice(body.userId, body.channelId))
  on('leave', Leave, (body) => act.leaveVoice(body.userId, body.guildId))
  return routes
}

async function answer(c: Context, run: () => unknown): Promise<Response> {
  try {
    return c.json({ ok: true, result: (await run()) ?? null })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return c.json({ ok: false, message: error.message }, 400)
  }
}

/** Without the keys that are `undefined`. */
const path = ({ subcommand, subcommandGroup }: z.infer<typeof Path>) => ({
  ...(subcommand !== undefined && { subcommand }),
  ...(subcommandGroup !== undefined && { subcommandGroup })
})
