/** Whether a request names one `Host` at most: of two, one reader takes the first and another the last. */
export function hasOneHost(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts += 1
  return hosts <= 1
}
