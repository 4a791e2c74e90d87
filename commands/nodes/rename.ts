import type { App } from '../../bot/discord/app.ts'
import { plain } from '../../bot/discord/respond.ts'
import type { Translate } from '../../bot/i18n/index.ts'
import { writeRegistry } from '../../bot/nodes/write-registry.ts'
import { Label } from '../../bot/wire/fields.ts'
import { wordOf } from './registry-word.ts'
import { codeOf } from './row.ts'

/** `/nodes rename`: the name that people read, kept by the registry over the node's restarts. Without one the node has its own again. */
export async function rename(app: App, t: Translate, serverId: string, label: string): Promise<string> {
  const name = label.trim()
  if (!Label.safeParse(name).success) return t('nodes.badLabel', { max: 80 })
  const id = codeOf(serverId)
  const done = name === '' ? t('nodes.renamedBack', { id }) : t('nodes.renamed', { id, name: plain(name) })
  return wordOf(await writeRegistry(() => app.registry.rename(serverId, name), () => app.sync.now()), serverId, done, t)
}
