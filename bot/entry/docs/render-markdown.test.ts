import { describe, expect, it } from 'vitest'
import { targetOf } from './links.ts'
import { renderMarkdown } from './render-markdown.ts'
import { createSlugs } from './slugs.ts'

const htmlOf = (markdown: string, source = 'README.md') => renderMarkdown(markdown, source).html.trim()

describe('a page’s Markdown', () => {
  it('gives its title apart, and its other headings with the names that GitHub gives them', () => {
    const { title, html, headings } = renderMarkdown('# Running a node\n\n## `/nodes` in Discord\n\n### What & why\n\n## What & why\n', 'docs/nodes.md')
    expect(title).toBe('Running a node')
    expect(headings).toEqual([
      { level: 2, slug: 'nodes-in-discord', text: '/nodes in Discord' },
      { level: 3, slug: 'what--why', text: 'What & why' },
      { level: 2, slug: 'what--why-1', text: 'What & why' }
    ])
    expect(html).toBe('<h2 id="nodes-in-discord"><code>/nodes</code> in Discord</h2>\n<h3 id="what--why">What &amp; why</h3>\n<h2 id="what--why-1">What &amp; why</h2>\n')
  })

  it.each([
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['before <b onclick="x()">bold</b> after', '<p>before &lt;b onclick=&quot;x()&quot;&gt;bold&lt;/b&gt; after</p>'],
    ['`<img src=x>`', '<p><code>&lt;img src=x&gt;</code></p>'],
    ['```html\n<i>"&"</i>\n```', '<pre tabindex="0"><code>&lt;i&gt;&quot;&amp;&quot;&lt;/i&gt;</code></pre>'],
    ['![a "picture" <b>](docs/a.png)', '<p><img src="/docs/docs/a.png" alt="a &quot;picture&quot; &lt;b&gt;"></p>'],
    ['[x](javascript:alert(1)) [y](data:text/html,1)', '<p>x y</p>'],
    ['[x](https://example.org/?a="b"&c)', '<p><a href="https://example.org/?a=&quot;b&quot;&amp;c">x</a></p>']
  ])('shows HTML as text, and lets nothing out of its place: %s', (markdown, html) => {
    expect(htmlOf(markdown)).toBe(html)
  })

  it('makes a table that is reached by the keyboard, whose first column names its rows, and in which an empty heading is none', () => {
    expect(htmlOf('## Settings\n\n| | default | |\n|---|---|---|\n| `PORT` | 8000 | where |\n| | - | <b> |')).toBe(
      [
        '<h2 id="settings">Settings</h2>',
        '<div class="table wide" role="group" aria-label="Table: Settings" tabindex="0"><table>',
        '<thead><tr><td></td><th scope="col">default</th><td></td></tr></thead>',
        '<tbody><tr><th scope="row"><code>PORT</code></th><td>8000</td><td>where</td></tr>',
        '<tr><td></td><td>-</td><td>&lt;b&gt;</td></tr></tbody>',
        '</table></div>'
      ].join('\n')
    )
    expect(htmlOf('| | |\n|---|---|\n| a | b |')).not.toContain('<thead>')
  })

  it('calls a page by its name in the list where the text of a link is only its file', () => {
    expect(htmlOf('[docs/nodes.md](docs/nodes.md#limits), [`bot/ARCHITECTURE.md`](bot/ARCHITECTURE.md), [nodes](docs/nodes.md)')).toBe(
      '<p><a href="/docs/nodes#limits">Nodes</a>, <a href="/docs/architecture">How it is built</a>, <a href="/docs/nodes">nodes</a></p>'
    )
  })
})

describe('the links of a page', () => {
  it.each([
    ['docs/nodes.md#nodes-in-discord', 'README.md', '/docs/nodes#nodes-in-discord'],
    ['nodes.md', 'docs/services.md', '/docs/nodes'],
    ['../README.md#commands', 'docs/members.md', '/docs/#commands'],
    ['../docs/services.md', 'bot/ARCHITECTURE.md', '/docs/services'],
    ['#findings', 'docs/doctor.md', '#findings'],
    ['https://example.org/a#b', 'README.md', 'https://example.org/a#b'],
    ['gas/dist/Code.js', 'README.md', '/docs/gas/dist/Code.js'],
    ['../gas/dist/appsscript.json', 'docs/registry.md', '/docs/gas/dist/appsscript.json'],
    ['colab/node.ipynb', 'README.md', '/docs/colab/node.ipynb']
  ])('lead on within the site or out of it: %s in %s', (href, source, target) => {
    expect(targetOf(href, source)).toBe(target)
  })

  it.each(['bot/main.ts', 'docs', 'docs/rehearsal.md', '../../etc/passwd', '//example.org', 'javascript:alert(1)', 'ftp://example.org', ''])('lead nowhere to what is not on the site: %s', (href) => {
    expect(targetOf(href, 'README.md')).toBeUndefined()
  })
})

describe('the names of sections', () => {
  it.each([
    [['Limits'], ['limits']],
    [['POST /v1/audio/speech'], ['post-v1audiospeech']],
    [['2. The registry: a Google Sheet'], ['2-the-registry-a-google-sheet']],
    [["Google Colab's rules, plainly"], ['google-colabs-rules-plainly']],
    [['snake_case-and more'], ['snake_case-and-more']],
    [['声 と 목소리 é'], ['声-と-목소리-é']],
    [['a', 'a', 'a 1', 'a'], ['a', 'a-1', 'a-1-1', 'a-2']],
    [['a 1', 'a', 'a'], ['a-1', 'a', 'a-2']]
  ])('are GitHub’s: %j', (headings, slugs) => {
    expect(headings.map(createSlugs())).toEqual(slugs)
  })
})
