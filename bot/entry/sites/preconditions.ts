import fresh from 'fresh'

type Headers = Readonly<Record<string, string | undefined>>

/**
 * What a caller's conditions make of the answer: `failed` (412), `fresh` (304: it has this very version), or none. They go before any range.
 * @param tags the ETag of this answer, then those of the same file in other encodings
 */
export function conditionOf(asked: Headers, { tags, modified }: { tags: readonly [string, ...string[]]; modified: string }): 'failed' | 'fresh' | undefined {
  const match = asked['if-match']
  const unchangedSince = Date.parse(asked['if-unmodified-since'] ?? '')
  const isFailed = match === undefined ? unchangedSince < Date.parse(modified) : match.trim() !== '*' && !match.split(',').some((tag) => tags.includes(tag.trim()))
  if (isFailed) return 'failed'
  return fresh(asked, { etag: tags[0], 'last-modified': modified }) ? 'fresh' : undefined
}
