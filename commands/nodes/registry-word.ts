import { VoxError } from '../../bot/core/errors.ts'
import type { App } from '../../bot/discord/app.ts'
import type { Translate } from '../../bot/i18n/index.ts'
import { codeOf } from './row.ts'

/** Writes something of a node into the registry and takes the new list. A refusal that an admin can do something about is said in words; other faults are thrown. */
export async function tellRegistry(app: App, t: Translate, serverId: string, write: () => Promise<void>, done: string): Promise<string> {
  try {
    await write()
  } catch (error) {
    const refusal = error instanceof VoxError ? error.context['code'] : undefined
    if (refusal === 'unknown_server') return t('nodes.unknown', { id: codeOf(serverId) })
    if (refusal === 'unknown_action') return t('nodes.oldRegistry')
    throw error
  }
  await app.sync.now()
  return done
}

/** `/nodes enable` and `disable`. Enabling ends an emptying: first, so that this can't switch the node off afterwards. */
export async function setEnabled(app: App, t: Translate, serverId: string, enabled: boolean): Promise<string> {
  if (enabled) await app.drains.end(serverId)
  const done = t(enabled ? 'nodes.enabled' : 'nodes.disabled', { id: codeOf(serverId) })
  return tellRegistry(app, t, serverId, () => app.registry.setEnabled(serverId, enabled), done)
}
