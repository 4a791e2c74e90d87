/** The bot's own paths: no service may take one, and each is a label of the measures. */
const OWN = [
  '/health', '/ready', '/metrics', '/registry', '/v1/audio/speech', '/v1/audio/voices', '/v1/audio', '/v1/models', '/v1/requests', '/api/status', '/api/events', '/api/nodes', '/api/session', '/api', '/docs', '/vendor'
]

export function ownLabelOf(path: string): string | undefined {
  return OWN.find((own) => path === own || path.startsWith(`${own}/`))
}
