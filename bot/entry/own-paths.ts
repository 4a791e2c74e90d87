/** The bot's own sites, which those of the manifest come before. */
export const OWN_SITES: readonly string[] = ['/docs', '/vendor']

/** The bot's own paths: no service may take one, and each is a label of the measures. */
const OWN = [
  '/health', '/ready', '/metrics', '/registry', '/v1/audio/speech', '/v1/audio/voices', '/v1/audio', '/v1/models', '/v1/requests', '/api/status', '/api/events', '/api/nodes', '/api/session', '/api', ...OWN_SITES
]

/** The label of what has no other: the pages of sites, and what is not there. */
export const PAGE = 'page'

export function ownLabelOf(path: string): string | undefined {
  return OWN.find((own) => path === own || path.startsWith(`${own}/`))
}

/**
 * Whether a server behind the entry might read a path as one of the bot's own: with its escapes undone, however often, its slashes joined, and no `;`. One
 * in which more is hidden than anybody has a reason to may be any: undoing all of it would take its length squared.
 */
export function mayBeOwn(path: string): boolean {
  if (!DISGUISED.test(path)) return ownLabelOf(path) !== undefined
  let undone = path
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const before = undone
    undone = before.replace(/%(?:25)*([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    if (undone === before) return ownLabelOf(undone.replaceAll('\\', '/').replace(/;[^/]*/g, '').replace(/\/{2,}/g, '/')) !== undefined
  }
  return true
}

const DISGUISED = /[%;]|\/\//
const ROUNDS_MAX = 8
