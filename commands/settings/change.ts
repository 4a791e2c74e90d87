import { GuildSettings, READ_LENGTH } from '../../bot/guilds/settings.ts'
import { CHOICES, LAYOUT, SWITCHES } from './sections.ts'
import type { Choice, Section, Switch } from './sections.ts'

type Change = Partial<GuildSettings>

export const isOn = (settings: GuildSettings, field: Switch): boolean => settings[field] === SWITCHES[field][1]

/** Which switches of a section are on, the first one the lowest bit. */
export function switchesOn(section: Section, settings: GuildSettings): number {
  return (LAYOUT[section].switches ?? []).reduce((bits, field, at) => bits | (isOn(settings, field) ? 1 << at : 0), 0)
}

/**
 * What somebody switched who saw `shown` and chose these. Only that is changed: a select tells of all its switches, and another manager may have
 * touched the others since. A name that is no switch of the section counts for nothing.
 */
export function switched(section: Section, shown: number, chosen: readonly string[]): Change {
  const changes = (LAYOUT[section].switches ?? []).flatMap((field, at) => {
    const wants = chosen.includes(field)
    return wants === ((shown & (1 << at)) !== 0) ? [] : [[field, SWITCHES[field][wants ? 1 : 0]]]
  })
  return Object.fromEntries(changes) as Change
}

/** Nothing when the value is none that the panel offers. */
export function chosen(field: Choice, value: string | undefined): Change | undefined {
  const known = CHOICES[field].find((each) => String(each) === value)
  return known === undefined ? undefined : { [field]: known }
}

/** What was written into the form, beside what stood in it. Digits of any width are taken; only what is not as it stood is changed. */
export function written(stood: Pick<GuildSettings, 'maxLength' | 'skipPrefix'>, given: { maxLength: string; skipPrefix: string }): Change | undefined {
  const digits = given.maxLength.normalize('NFKC').trim()
  const maxLength = /^\d{1,4}$/.test(digits) ? Number(digits) : -1
  const skipPrefix = given.skipPrefix.trim()
  if (maxLength < READ_LENGTH.min || maxLength > READ_LENGTH.max || !GuildSettings.shape.skipPrefix.safeParse(skipPrefix).success) return undefined
  return { ...(maxLength !== stood.maxLength && { maxLength }), ...(skipPrefix !== stood.skipPrefix && { skipPrefix }) }
}
