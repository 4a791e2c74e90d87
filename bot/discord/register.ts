import { isDeepStrictEqual } from 'node:util'
import { ApplicationCommandType, Routes } from 'discord.js'
import type { APIApplicationCommand, REST } from 'discord.js'
import type { Entry } from './command.ts'

/** The application's own list, or that of one server. */
export interface Where {
  applicationId: string
  guildId?: string | undefined
}

/** What a registration did, by names, and the ids by which a text can name the commands. */
export interface Registration {
  created: readonly string[]
  changed: readonly string[]
  deleted: readonly string[]
  same: readonly string[]
  ids: ReadonlyMap<string, string>
}

type Data = Entry['data']

/** What Discord knows at a place, with all languages. */
export async function registeredAt(rest: REST, where: Where): Promise<APIApplicationCommand[]> {
  return (await rest.get(routeOf(where), { query: new URLSearchParams({ with_localizations: 'true' }) })) as APIApplicationCommand[]
}

/** Makes a place's commands those of the bot, and sends only what differs: nothing at all when nothing does. @throws what discord.js does */
export async function registerCommands(rest: REST, where: Where, entries: readonly Data[], there?: readonly APIApplicationCommand[]): Promise<Registration> {
  const all = there ?? (await registeredAt(rest, where))
  // The one that opens an application's own activity is Discord's.
  const known = new Map(all.filter(({ type }) => type !== ApplicationCommandType.PrimaryEntryPoint).map((command) => [keyOf(command), command]))
  const result = { created: [] as string[], changed: [] as string[], deleted: [] as string[], same: [] as string[], ids: new Map<string, string>() }
  const wanted = new Set(entries.map(keyOf))
  const isGlobal = where.guildId === undefined
  if (all.length === 0) {
    // The first time all go in one call.
    const made = entries.length === 0 ? [] : ((await rest.put(routeOf(where), { body: entries.map((data) => bodyOf(data, isGlobal)) })) as APIApplicationCommand[])
    return { ...result, created: made.map(({ name }) => name), ids: new Map(made.map(({ name, id }) => [name, id])) }
  }
  for (const [key, { id, name }] of known) {
    if (wanted.has(key)) continue
    await rest.delete(routeOf(where, id))
    result.deleted.push(name)
  }
  for (const data of entries) {
    const command = known.get(keyOf(data))
    if (command !== undefined && isSameCommand(command, data, isGlobal)) {
      result.same.push(data.name)
      result.ids.set(data.name, command.id)
      continue
    }
    const body = bodyOf(data, isGlobal)
    const now = (await (command === undefined ? rest.post(routeOf(where), { body }) : rest.patch(routeOf(where, command.id), { body }))) as APIApplicationCommand
    result[command === undefined ? 'created' : 'changed'].push(data.name)
    result.ids.set(data.name, now.id)
  }
  return result
}

/** What `registerCommands` would do at a place, by names; nothing is sent. */
export function differenceOf(there: readonly APIApplicationCommand[], entries: readonly Data[], isGlobal: boolean): Omit<Registration, 'ids' | 'same'> {
  const known = new Map(there.filter(({ type }) => type !== ApplicationCommandType.PrimaryEntryPoint).map((command) => [keyOf(command), command]))
  const wanted = new Set(entries.map(keyOf))
  const isChanged = (data: Data) => {
    const command = known.get(keyOf(data))
    return command !== undefined && !isSameCommand(command, data, isGlobal)
  }
  return {
    created: entries.filter((data) => !known.has(keyOf(data))).map(({ name }) => name),
    changed: entries.filter(isChanged).map(({ name }) => name),
    deleted: [...known].filter(([key]) => !wanted.has(key)).map(([, { name }]) => name)
  }
}

/** Whether Discord knows a command just as it is here, in every language; discord.js' own comparison leaves those of options out, and fails on Discord's defaults. */
function isSameCommand(there: APIApplicationCommand, here: Data, isGlobal: boolean): boolean {
  return isDeepStrictEqual(essence(comparable(there, here, isGlobal)), essence(comparable(here, here, isGlobal)))
}

/** Fields that say where a command may be used count for global ones alone; where it may be installed is the application's choice unless told. */
function comparable(command: APIApplicationCommand | Data, here: Data, isGlobal: boolean): object {
  const { type = ApplicationCommandType.ChatInput, name, name_localizations, default_member_permissions, nsfw, contexts, integration_types } = command
  return {
    type, name, name_localizations, default_member_permissions, nsfw,
    ...('description' in command && { description: command.description, description_localizations: command.description_localizations }),
    ...('options' in command && { options: command.options }),
    ...(isGlobal && { contexts, ...(here.integration_types && { integration_types }) })
  }
}

/** Without what is the default anyway, which Discord writes out, or leaves out, as it likes. */
function essence(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(essence)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).flatMap(([key, inner]) => (isDefault(inner) ? [] : [[key, essence(inner)]])))
}

function isDefault(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** All fields: one that is left out of a change would stay as it was. */
function bodyOf(data: Data, isGlobal: boolean): object {
  const { contexts = null, ...rest } = data
  const isMenu = data.type === ApplicationCommandType.Message || data.type === ApplicationCommandType.User
  return {
    name_localizations: null, default_member_permissions: null, nsfw: false,
    ...(!isMenu && { description_localizations: null, options: [] }),
    ...rest,
    ...(isGlobal && { contexts })
  }
}

/** A slash command and a menu entry may have the same name. */
function keyOf({ type = ApplicationCommandType.ChatInput, name }: APIApplicationCommand | Data): string {
  return `${type} ${name}`
}

function routeOf({ applicationId, guildId }: Where, id?: string) {
  if (guildId === undefined) return id === undefined ? Routes.applicationCommands(applicationId) : Routes.applicationCommand(applicationId, id)
  return id === undefined ? Routes.applicationGuildCommands(applicationId, guildId) : Routes.applicationGuildCommand(applicationId, guildId, id)
}
