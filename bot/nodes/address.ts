import { LOOPBACK_NAMES } from '../core/loopback.ts'

/**
 * Whether a node may live at this address: a host of `NODE_HOSTS`, or below one that starts with a dot; plain `http` only on loopback, and
 * loopback only when it is listed. A registry's word alone must not make the bot send its key to any host, or reach into its own network.
 */
export function isAllowedAddress(apiUrl: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(apiUrl)) return false
  const { protocol, hostname, username, password } = new URL(apiUrl)
  if (username !== '' || password !== '') return false
  const listed = hosts.some((host) => {
    const wanted = host.toLowerCase()
    return wanted.startsWith('.') ? hostname.endsWith(wanted) && hostname.length > wanted.length : hostname === wanted
  })
  return listed && (protocol === 'https:' || (protocol === 'http:' && LOOPBACK_NAMES.includes(hostname)))
}
