import { describe, expect, it } from 'vitest'
import type { Entry } from '../bot/discord/command.ts'
import { CommandBody } from '../sandbox/rest/command-schema.ts'
import { commands } from './index.ts'

interface Named {
  path: string
  name: string
  name_localizations?: Record<string, string> | null
  description?: string
  description_localizations?: Record<string, string> | null
  options?: readonly Omit<Named, 'path'>[]
  choices?: readonly { name: string; name_localizations?: Record<string, string> | null }[]
}

/** A command and everything below it that has a name. */
function* partsOf(part: Omit<Named, 'path'>, above = ''): Generator<Named> {
  const path = `${above}/${part.name}`
  yield { ...part, path }
  for (const option of part.options ?? []) yield* partsOf(option, path)
}

const parts = commands.flatMap(({ data }) => [...partsOf(data as Omit<Named, 'path'>)])

describe.each(parts.map((part) => [part.path, part] as const))('%s', (_path, { name, name_localizations, description, description_localizations, choices = [], options = [] }) => {
  it('has a name and a description in every language, within Discord’s bounds', () => {
    const names = [name, name_localizations?.['ja'] ?? '', name_localizations?.['ko'] ?? '']
    expect(names.every((each) => each.length > 0 && each.length <= 32)).toBe(true)
    if (description === undefined) return
    expect(names.every((each) => each === each.toLowerCase() && !/\s/.test(each))).toBe(true)
    const descriptions = [description, description_localizations?.['ja'] ?? '', description_localizations?.['ko'] ?? '']
    expect(descriptions.every((each) => each.length > 0 && each.length <= 100)).toBe(true)
  })

  it('tells its options and choices apart in every language', () => {
    for (const list of [options, choices]) {
      for (const locale of ['en', 'ja', 'ko']) expect(new Set(list.map((each) => each.name_localizations?.[locale] ?? each.name)).size).toBe(list.length)
    }
  })
})

describe('the commands together', () => {
  it('have names of their own in every language', () => {
    for (const locale of ['en', 'ja', 'ko']) {
      const names = commands.map(({ data }) => data.name_localizations?.[locale as 'ja'] ?? data.name)
      expect(new Set(names).size).toBe(names.length)
    }
  })

  it.each(commands.map((entry) => [entry.data.name, entry] as const))('%s is one that Discord takes, in servers alone', (_name, { data }: Entry) => {
    expect(CommandBody.safeParse(data).error).toBeUndefined()
    expect(data.contexts).toEqual([0])
  })
})
