import type { App } from '../../bot/discord/app.ts'
import type { Reply } from '../../bot/discord/respond.ts'
import type { Translate } from '../../bot/i18n/index.ts'

/** The way to the status page as an admin, for who pressed alone: a new one each time. In angle brackets, so that it shows no preview. */
export function adminLink(userId: string, app: Pick<App, 'adminLink'>, t: Translate): Reply {
  const { url, minutes, isLocal } = app.adminLink(userId)
  const lines = [t('nodes.panel.link', { count: minutes }), `<${url}>`, ...(isLocal ? [t('nodes.panel.linkIsLocal')] : [])]
  return { content: lines.join('\n') }
}
