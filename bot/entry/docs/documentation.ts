import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PAGES, TAKEN_ALONG } from './contents.ts'
import { layOut } from './layout.ts'
import { renderMarkdown } from './render-markdown.ts'

/** The files of the site, by their paths below it. */
export type SiteFiles = ReadonlyMap<string, string | Uint8Array>

const MISSING = `<p>Nothing is at this address. It may have been moved, or mistyped.</p>
<ul>
<li><a href="/docs/">Setting up</a>, for who runs Voxpool</li>
<li><a href="/docs/members">Being heard</a>, for who only wants to speak</li>
<li><a href="/">The status page</a></li>
</ul>
`

/**
 * The documentation as a site: a page for each Markdown file, `404.html`, their look, the pictures that they show, and what an operator takes away.
 * @param repository the folder of the sources
 * @throws the system's error when a source can't be read
 */
export async function documentation(repository: string): Promise<SiteFiles> {
  const files = new Map<string, string | Uint8Array>()
  const taken = new Set(TAKEN_ALONG)
  for (const { name, source } of PAGES) {
    const { pictures, ...page } = renderMarkdown(await readFile(join(repository, source), 'utf8'), source)
    for (const picture of pictures) taken.add(picture)
    files.set(`${name === '' ? 'index' : name}.html`, layOut({ name, ...page }))
  }
  files.set('404.html', layOut({ name: undefined, title: 'There is no such page', html: MISSING, headings: [] }))
  for (const path of taken) files.set(path, await readFile(join(repository, path)))
  for (const name of ['docs.css', 'icon.svg']) files.set(name, await readFile(join(import.meta.dirname, name)))
  return files
}
