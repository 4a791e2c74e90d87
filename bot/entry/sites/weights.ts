/** What a caller takes, of a header such as `Accept` or `Accept-Encoding`: each name in lower case with its weight; 0 where it is refused or malformed. */
export function weightsOf(header: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.trim().toLowerCase().split(/\s*;\s*/)
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    if (name !== '') weights.set(name, q === undefined ? 1 : Number(q.slice(2)) || 0)
  }
  return weights
}
