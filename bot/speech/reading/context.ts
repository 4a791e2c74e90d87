import { GuildSettings } from '../../guilds/settings.ts'
import type { Names } from './names.ts'

/** What a server chose about reading. */
export type ReadingRules = Pick<GuildSettings, 'language' | 'links' | 'attachments' | 'emoji' | 'spoilers' | 'code' | 'maxLength' | 'skipPrefix'>

/** A server's that chose nothing. */
export const DEFAULT_RULES: ReadingRules = GuildSettings.parse({})

export interface ReadingContext {
  names: Names
  rules: ReadingRules
  /** The members' dictionary, over what was written and over names. */
  replace: (text: string) => string
  /** Wall clock, for timestamps like "in 5 minutes". */
  nowMs: number
  /** A message above `TEXT_MAX` is read up to `maxLength` (`cut`, unless told), or not at all. */
  overlong?: 'cut' | 'refuse'
}
