/**
 * Names the sections of one page as GitHub does, so that a link to a section works here and there: lower case, without punctuation, hyphens for
 * spaces, and a number behind a name that is there already.
 */
export function createSlugs(): (heading: string) => string {
  const counts = new Map<string, number>()
  return (heading) => {
    const plain = heading.toLowerCase().replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '').replaceAll(' ', '-')
    let count = counts.get(plain) ?? 0
    let slug = plain
    while (counts.has(slug)) {
      count += 1
      slug = `${plain}-${count}`
    }
    counts.set(plain, count)
    counts.set(slug, counts.get(slug) ?? 0)
    return slug
  }
}
