/** A site's name that is longer is not worth hearing. */
const SITE_MAX = 40

/** The name of a link's site, as people say it; undefined when it has none that can be said. */
export function siteOf(url: string): string | undefined {
  const host = URL.parse(/^[a-z]+:\/\//i.test(url) ? url : `https://${url}`)?.hostname.replace(/^www\./, '')
  return host !== undefined && host.length <= SITE_MAX && /[a-z]/.test(host) && !host.includes('xn--') ? host : undefined
}

/** Discord shows a link to one of its channels, or to a message there, as that channel. */
export function channelOfLink(url: string): string | undefined {
  return /^https:\/\/(?:ptb\.|canary\.)?discord(?:app)?\.com\/channels\/\d{1,21}\/(\d{1,21})(?:\/\d{1,21})?\/?$/.exec(url)?.[1]
}
