import { RE2JS } from 're2js'

export type PatternFault = 'regexBad' | 'regexTooLarge'

/**
 * RE2 takes time linear in the text and in the pattern's program, whose size is what has a bound. A word or a number in some form has 5 to 20 steps;
 * repeats such as `{50}` are written out.
 */
export const PROGRAM_MAX = 100

export type Pattern = { ok: true; regex: RE2JS; steps: number } | { ok: false; reason: PatternFault; detail?: string }

/** Compiles a pattern of RE2's syntax: no look-around, no references back. `detail` is RE2's word on what is wrong. */
export function checkPattern(source: string): Pattern {
  try {
    const regex = RE2JS.compile(source)
    const steps = regex.programSize()
    return steps > PROGRAM_MAX ? { ok: false, reason: 'regexTooLarge' } : { ok: true, regex, steps }
  } catch (error) {
    const detail = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '').slice(0, 120) : ''
    return { ok: false, reason: 'regexBad', detail }
  }
}

/** The size of a pattern's program. */
export function stepsOf(source: string): number {
  const pattern = checkPattern(source)
  return pattern.ok ? pattern.steps : 0
}
