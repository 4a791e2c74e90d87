import type { Database } from '../../bot/core/database.ts'
import { createDictionaries } from '../../bot/dictionary/dictionaries.ts'
import type { Dictionaries } from '../../bot/dictionary/dictionaries.ts'
import { createReadings } from '../../bot/guilds/readings.ts'
import type { Readings } from '../../bot/guilds/readings.ts'
import { createSettings } from '../../bot/guilds/settings.ts'
import type { SettingsStore } from '../../bot/guilds/settings.ts'
import { createPreferences } from '../../bot/members/preferences.ts'
import type { Preferences } from '../../bot/members/preferences.ts'

export interface Keeping {
  settings: SettingsStore
  preferences: Preferences
  dictionaries: Dictionaries
  readings: Readings
}

/** The bot's own stores of what people chose. */
export const openKeeping = (database: Database): Keeping => ({
  settings: createSettings(database),
  preferences: createPreferences(database),
  dictionaries: createDictionaries(database),
  readings: createReadings(database)
})

/** The n-th of a row of writes that is the same in every process: new things, changes, removals, and many entries in one. */
export async function write({ settings, preferences, dictionaries, readings }: Keeping, n: number): Promise<void> {
  const guildId = String(1_100_000_000_000_000_000n + BigInt(n % 7))
  const userId = `user-${n % 11}`
  const scope = { of: 'server', guildId } as const
  switch (n % 8) {
    case 0:
      settings.change(guildId, { maxLength: 10 + (n % 1990), saysName: n % 3 === 0 })
      break
    case 1:
      preferences.set({ userId, guildId }, { voice: `voice-${n}`, speed: 1 + (n % 3) })
      break
    case 2:
      dictionaries.add(scope, { from: `word${n % 40}`, to: `spoken ${n}` })
      break
    case 3:
      await dictionaries.fill({ of: 'mine', userId }, Array.from({ length: 50 }, (_, at) => ({ from: `many${at}`, to: `of ${n}` })), n % 16 === 3 ? 'replace' : 'merge')
      break
    case 4:
      preferences.set({ userId }, n % 16 === 4 ? {} : { pitch: n % 12 })
      break
    case 5:
      readings.add({ guildId, textChannelId: `text-${n % 30}`, voiceChannelId: `voice-${n}` })
      break
    case 6:
      dictionaries.remove(scope, `word${n % 40}`)
      break
    case 7:
      readings.remove(`text-${(n * 3) % 30}`)
  }
}

/** All that stands in the tables, as text. */
export function contentOf(database: Database): string {
  const tables = ['guild_settings', 'sounds', 'dictionary', 'readings']
  return JSON.stringify(tables.map((table) => database.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all()), undefined, 1)
}
