import * as z from 'zod'
import { CHOICES, SECTIONS } from './sections.ts'
import type { Choice, Section } from './sections.ts'

/** What a button, a select or a form of the panel is for; its `customId` says all of it, so that it works after a restart. */
export type Control = { section: Section } & (
  | { does: 'show' | 'keep' | 'role' | 'voice' | 'form' | 'reset' | 'resetNow' }
  /** `shown`: which switches were on when it was drawn, the first one the lowest bit. */
  | { does: 'switch'; shown: number }
  | { does: 'choose'; field: Choice }
  /** The form, with what stood in it when it was opened. */
  | { does: 'fill'; maxLength: number; skipPrefix: string }
)

const section = z.enum(SECTIONS)
const number = z.string().regex(/^\d{1,4}$/).transform(Number)
const Parts = z.union([
  z.tuple([section, z.enum(['show', 'keep', 'role', 'voice', 'form', 'reset', 'resetNow'])]).transform(([of, does]): Control => ({ section: of, does })),
  z.tuple([section, z.literal('switch'), number]).transform(([of, does, shown]): Control => ({ section: of, does, shown })),
  z.tuple([section, z.literal('choose'), z.enum(Object.keys(CHOICES) as [Choice, ...Choice[]])]).transform(([of, does, field]): Control => ({ section: of, does, field })),
  z
    .tuple([section, z.literal('fill'), number, z.string().max(40)])
    .transform(([of, does, maxLength, prefix]): Control => ({ section: of, does, maxLength, skipPrefix: Buffer.from(prefix, 'base64url').toString() }))
])

/** At most 100 characters, as Discord wants it; a prefix that is skipped may hold a colon. */
export function idOf(control: Control): string {
  const { section: of, does } = control
  const args = does === 'switch' ? [control.shown] : does === 'choose' ? [control.field] : does === 'fill' ? [control.maxLength, Buffer.from(control.skipPrefix).toString('base64url')] : []
  return ['settings', of, does, ...args].join(':')
}

/** Nothing for an id that no panel of this version has. */
export function controlOf(customId: string): Control | undefined {
  return Parts.safeParse(customId.split(':').slice(1)).data
}
