import { AREAS } from './finding.ts'
import type { Evidence, Finding, Level } from './finding.ts'

/** The one JSON document of `--json`. */
export interface Report {
  /** Exit code 0. */
  ok: boolean
  /** 0: all well. 1: it works, with warnings, or something could not be looked at. 2: broken. */
  exitCode: 0 | 1 | 2
  /** In the order of the chain. */
  findings: Finding[]
}

/** @param secrets cut out of every finding, as of every line of the log: a page from outside may quote one */
export function reportOf(findings: readonly Finding[], secrets: readonly string[] = []): Report {
  const has = (level: Level) => findings.some((each) => each.level === level)
  const exitCode = has('broken') ? 2 : has('warning') || has('unseen') ? 1 : 0
  const inOrder = AREAS.flatMap((area) => findings.filter((each) => each.area === area))
  return { ok: exitCode === 0, exitCode, findings: inOrder.map((each) => without(each, secrets.filter((secret) => secret.length >= 8))) }
}

function without(finding: Finding, secrets: readonly string[]): Finding {
  const clean = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '[hidden]'), text)
  const cleanValue = (value: Evidence[string]): Evidence[string] => {
    if (typeof value === 'string') return clean(value)
    return Array.isArray(value) ? value.map((each: string) => clean(each)) : value
  }
  const { subject, message, nextStep, evidence } = finding
  return {
    ...finding,
    subject: clean(subject),
    message: clean(message),
    nextStep: clean(nextStep),
    evidence: Object.fromEntries(Object.entries(evidence).map(([name, value]) => [name, cleanValue(value)]))
  }
}
