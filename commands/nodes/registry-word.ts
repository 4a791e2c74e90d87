import type { App } from '../../bot/discord/app.ts'
import type { Translate } from '../../bot/i18n/index.ts'
import { switchNode } from '../../bot/nodes/write-registry.ts'
import type { Written } from '../../bot/nodes/write-registry.ts'
import { codeOf } from './row.ts'

/** What the registry made of it, in words: that it is done, or what an admin can do about it. */
export function wordOf(written: Written, serverId: string, done: string, t: Translate): string {
  if (written.ok) return done
  return written.reason === 'unknown' ? t('nodes.unknown', { id: codeOf(serverId) }) : t('nodes.oldRegistry')
}

/** `/nodes enable` and `disable`. */
export async function setEnabled(app: App, t: Translate, serverId: string, enabled: boolean): Promise<string> {
  const written = await switchNode(app, serverId, enabled)
  return wordOf(written, serverId, t(enabled ? 'nodes.enabled' : 'nodes.disabled', { id: codeOf(serverId) }), t)
}
