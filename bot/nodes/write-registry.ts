import { VoxError } from '../core/errors.ts'
import type { Drains } from './drain.ts'

/** `unknown`: the registry has no such node. `oldRegistry`: its script does not know the call yet. */
export type Written = { ok: true } | { ok: false; reason: 'unknown' | 'oldRegistry' }

/**
 * Writes something of a node into the registry and takes the new list. A refusal that an admin can do something about is a value.
 * @throws VoxError of kind `registry`
 */
export async function writeRegistry(write: () => Promise<void>, takeList: () => Promise<void>): Promise<Written> {
  try {
    await write()
  } catch (error) {
    const refusal = error instanceof VoxError ? error.context['code'] : undefined
    if (refusal === 'unknown_server') return { ok: false, reason: 'unknown' }
    if (refusal === 'unknown_action') return { ok: false, reason: 'oldRegistry' }
    throw error
  }
  await takeList()
  return { ok: true }
}

export interface SwitchDeps {
  drains: Pick<Drains, 'end'>
  registry: { setEnabled(serverId: string, enabled: boolean): Promise<void> }
  sync: { now(): Promise<void> }
}

/** Switches a node on or off for all. Switching it on ends an emptying: first, so that this can't switch the node off afterwards. @throws as `writeRegistry` */
export async function switchNode({ drains, registry, sync }: SwitchDeps, serverId: string, enabled: boolean): Promise<Written> {
  if (enabled) await drains.end(serverId)
  return writeRegistry(() => registry.setEnabled(serverId, enabled), () => sync.now())
}
