import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GuildSettings } from '../../bot/guilds/settings.ts'
import { sentences } from '../../bot/i18n/index.ts'
import { isOn, switched, switchesOn, written } from './change.ts'
import { controlOf, idOf } from './control.ts'
import { CHOICES, LAYOUT, SECTIONS, SWITCHES } from './sections.ts'
import type { Choice, Switch } from './sections.ts'

const section = fc.constantFrom(...SECTIONS)
const bits = fc.nat(1023)

describe('a control’s id', () => {
  const control = fc.oneof(
    fc.record({ section, does: fc.constantFrom('show' as const, 'keep' as const, 'role' as const, 'voice' as const, 'form' as const, 'reset' as const, 'resetNow' as const) }),
    fc.record({ section, does: fc.constant('switch' as const), shown: bits }),
    fc.record({ section, does: fc.constant('choose' as const), field: fc.constantFrom(...(Object.keys(CHOICES) as Choice[])) }),
    fc.record({ section, does: fc.constant('fill' as const), maxLength: fc.integer({ min: 10, max: 2000 }), skipPrefix: fc.string({ unit: 'binary', maxLength: 8 }).filter((text) => text.length <= 8) })
  )

  it('says all of it, in at most the 100 characters that Discord takes', () => {
    fc.assert(
      fc.property(control, (each) => {
        const id = idOf(each)
        expect(id.length).toBeLessThanOrEqual(100)
        expect(controlOf(id)).toEqual(each)
      })
    )
  })

  it('of any other kind is none', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 100 }), (text) => {
        expect(controlOf(`settings:${text}`)).toBeUndefined()
      })
    )
  })
})

describe('a select of switches', () => {
  it('changes what its member touched, and nothing that another one has changed since it was drawn', () => {
    fc.assert(
      fc.property(section, bits, bits, bits, (of, shown, since, wanted) => {
        const fields: readonly Switch[] = LAYOUT[of].switches ?? []
        const set = (mask: number) => Object.fromEntries(fields.map((field, at) => [field, SWITCHES[field][(mask >> at) & 1]]))
        const kept = GuildSettings.parse(set(since))
        const after = GuildSettings.parse({ ...kept, ...switched(of, shown, fields.filter((_, at) => (wanted >> at) & 1)) })
        fields.forEach((field, at) => {
          const touched = ((shown ^ wanted) >> at) & 1
          expect(isOn(after, field)).toBe((((touched ? wanted : since) >> at) & 1) === 1)
        })
      })
    )
  })

  it('tells what is on, so that choosing the same changes nothing', () => {
    fc.assert(
      fc.property(section, bits, (of, mask) => {
        const fields: readonly Switch[] = LAYOUT[of].switches ?? []
        const settings = GuildSettings.parse(Object.fromEntries(fields.map((field, at) => [field, SWITCHES[field][(mask >> at) & 1]])))
        expect(switched(of, switchesOn(of, settings), fields.filter((field) => isOn(settings, field)))).toEqual({})
      })
    )
  })
})

describe('what is written into the form', () => {
  it('is a change that the settings take, or none', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (maxLength, skipPrefix) => {
        const change = written({ maxLength: 300, skipPrefix: ';' }, { maxLength, skipPrefix })
        if (change !== undefined) expect(GuildSettings.parse({ ...GuildSettings.parse({}), ...change })).toMatchObject(change)
      })
    )
  })
})

describe('the panel', () => {
  it('offers every setting once', () => {
    const offered = [...SECTIONS.flatMap((of) => [...(LAYOUT[of].switches ?? []), ...(LAYOUT[of].choices ?? []), ...(LAYOUT[of].role ? [LAYOUT[of].role] : [])]), 'maxLength', 'skipPrefix']
    expect(offered.sort()).toEqual(Object.keys(GuildSettings.shape).sort())
  })

  it('offers every value of what is one of several', () => {
    for (const field of ['links', 'spoilers', 'code', 'language'] as const) expect([...CHOICES[field]]).toEqual(GuildSettings.shape[field].unwrap().options)
  })

  it.each(Object.entries(sentences))('stays within Discord’s bounds in %s', (_, words) => {
    const tooLong = Object.entries(words).filter(([key, say]) => {
      const max = key.startsWith('settings.hint') ? 1000 : key.startsWith('settings.form.') ? (key.endsWith('Hint') ? 100 : 45) : key === 'settings.how' ? 45 : 80
      const isLabel = /^settings\.(?:who|how|moves|server|form|reset|resetNow|keep|none|reads|only|says|announces|attachments|emoji|speeds|auto|links|spoilers|code|idle|language|role|form\.)/.test(key)
      return isLabel && (say as (a: object) => string)({ minutes: 720, min: 10, max: 2000 }).length > max
    })
    expect(tooLong.map(([key]) => key)).toEqual([])
  })
})
