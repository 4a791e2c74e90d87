import { NOTHING_TO_DO } from './finding.ts'
import type { Finding, Level } from './finding.ts'
import type { Report } from './report.ts'

/** Puts a level's colour on a text, or leaves it as it is. */
export type Paint = (level: Level, text: string) => string

/** A line for each finding, its next step below, and a summary at last. What came from outside has no control characters left. */
export function textOf({ findings, exitCode }: Report, paint: Paint = (_, text) => text): string {
  return [...findings.flatMap((each) => linesOf(each, paint)), '', summaryOf(findings, exitCode, paint)].join('\n')
}

const WIDTH = Math.max(...(['ok', 'note', 'warning', 'broken', 'unseen'] satisfies Level[]).map((level) => level.length)) + 2

function linesOf({ id, level, subject, message, nextStep }: Finding, paint: Paint): string[] {
  const line = `${paint(level, `[${level}]`.padEnd(WIDTH + 1))}${plain(subject)}: ${plain(message)} (${id})`
  return nextStep === NOTHING_TO_DO ? [line] : [line, `${' '.repeat(WIDTH + 1)}-> ${plain(nextStep)}`]
}

function summaryOf(findings: readonly Finding[], exitCode: Report['exitCode'], paint: Paint): string {
  const count = (level: Level) => findings.filter((each) => each.level === level).length
  const parts = [
    [count('broken'), 'broken'],
    [count('warning'), count('warning') === 1 ? 'warning' : 'warnings'],
    [count('unseen'), 'not looked at'],
    [count('ok'), 'well']
  ] as const
  const counts = parts.flatMap(([number, word]) => (number === 0 ? [] : [`${number} ${word}`])).join(', ')
  if (exitCode === 2) return `${paint('broken', 'Broken')}: ${counts}.`
  return exitCode === 1 ? `${paint('warning', 'Works, as far as could be seen')}: ${counts}.` : `${paint('ok', 'All well')}: ${counts}.`
}

/** A name or a page from outside must not move the cursor, or turn the direction of what follows. */
const plain = (text: string) => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
