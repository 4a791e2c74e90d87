/** The bot's own paths: no service may take one, and each is a label of the measures. */
const OWN = [
  '/health', '/ready', '/metrics', '/registry', '/v1/audio/speech', '/v1/audio/voices', '/v1/audio', '/v1/models', '/v1/requests', '/api/status', '/api/events', '/api/nodes', '/api/session', '/api', '/docs', '/vendor'
]

export function ownLabelOf(path: string): string | undefined {
  return OWN.find((own) => path === own || path.startsWith(`${own}/`))
}

/** Whether a server behind the entry might read a path as one of the bot's own: with its escapes undone, however often, its slashes joined, and no `;`. */
export function mayBeOwn(path: string): boolean {
  return ownLabelOf(DISGUISED.test(path) ? plain(path) : path) !== undefined
}

const DISGUISED = /[%;]|\/\//

function plain(path: string): string {
  const undone = path.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return undone === path ? path.replaceAll('\\', '/').replace(/;[^/]*/g, '').replace(/\/{2,}/g, '/') : plain(undone)
}
