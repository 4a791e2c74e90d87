/** What a request line asks for: path and query as they came, and the host where the line names one. */
export type RequestTarget = { ok: true; path: string; query: string; host: string | undefined } | { ok: false }

const ABSOLUTE = /^https?:\/\/([^/?#]*)/i
const PLAIN = /^\/[\x21\x22\x24-\x5b\x5d-\x7e]*$/
const MAY_CLIMB = /%|\/\./

/**
 * Reads a request line's target. It is passed on as it came, so whatever an upstream might read as another path than the one that was let through here is
 * refused: dot segments in any spelling, `//` at the start, backslashes, fragments, NUL, and forms without a path.
 */
export function requestTarget(given: string): RequestTarget {
  const absolute = given.startsWith('/') ? null : ABSOLUTE.exec(given)
  const rest = absolute === null ? given : given.slice(absolute[0].length)
  const whole = rest.startsWith('/') || absolute === null ? rest : `/${rest}`
  if (!PLAIN.test(whole) || whole.startsWith('//')) return { ok: false }
  const queryAt = whole.indexOf('?')
  const path = queryAt === -1 ? whole : whole.slice(0, queryAt)
  if (MAY_CLIMB.test(path) && climbs(path)) return { ok: false }
  return { ok: true, path, query: queryAt === -1 ? '' : whole.slice(queryAt), host: absolute?.[1] }
}

/** However often it was encoded. */
function climbs(path: string): boolean {
  const plain = path.replace(/%(?:25)*2e/gi, '.').replace(/%(?:25)*(?:2f|5c)/gi, '/')
  return /%(?:25)*00/i.test(plain) || plain.split('/').some((segment) => /^\.\.?(?:;|$)/.test(segment))
}
