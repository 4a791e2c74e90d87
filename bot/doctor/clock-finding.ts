import { finding } from './finding.ts'
import type { Finding } from './finding.ts'

/** Nodes count by the registry's clock alone; but presence, logs and certificates are read beside this machine's. */
const WARN_MS = 30_000
const BROKEN_MS = 120_000

/**
 * How far the registry's clock is from this machine's.
 * @param differenceMs the registry's minus ours, at the middle of the call
 * @param unsureMs how far off that can be: half of the call. Only what is beyond it counts
 */
export function clockFinding(differenceMs: number, unsureMs: number): Finding {
  const sureMs = Math.max(0, Math.abs(differenceMs) - unsureMs)
  const seconds = Math.round(differenceMs / 1000)
  const evidence = { differenceMs: Math.round(differenceMs), unsureMs: Math.round(unsureMs) }
  const message = `its clock is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} this machine’s.`
  if (sureMs > BROKEN_MS) return finding('registry.clock-wrong', 'clock', message, NEXT, { evidence })
  if (sureMs > WARN_MS) return finding('registry.clock-differs', 'clock', message, NEXT, { evidence })
  return finding('registry.clock', 'clock', 'registry and this machine agree.', undefined, { evidence })
}

const NEXT = 'Let this machine set its clock by the network (NTP), and that of the registry too where it is not Google’s, which is right.'
