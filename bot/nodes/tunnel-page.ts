type Headers = Readonly<Record<string, string | string[] | undefined>>

/**
 * Whether a tunnel itself answered, and not what is behind it. ngrok marks every answer of its own, that for an endpoint which is gone (404,
 * `ERR_NGROK_3200`) too; Cloudflare's own of too many requests (1015) is a page with 429. Both name the address.
 * @param headers names in lower case
 */
export function isTunnelsOwn(status: number, headers: Headers): boolean {
  if (headers['ngrok-error-code'] !== undefined) return true
  return status === 429 && headers['server'] === 'cloudflare' && /^text\/html\b/i.test(String(headers['content-type'] ?? ''))
}
