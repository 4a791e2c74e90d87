/** Where the site lies. Its links begin with this: so they lead to the same place from `/docs/nodes`, from `/docs/nodes/`, and from a page that is missing. */
export const BASE = '/docs/'

export interface PageSource {
  /** The page's name below `BASE`; empty for the first one. */
  name: string
  /** Its Markdown, by its path in the repository. */
  source: string
  /** What the list of pages calls it. */
  label: string
}

/** All pages, in the order in which they are listed. */
export const SECTIONS: readonly { title: string; pages: readonly PageSource[] }[] = [
  {
    title: 'For members',
    pages: [
      { name: 'members', source: 'docs/members.md', label: 'Being heard' },
      { name: 'dictionary', source: 'docs/dictionary.md', label: 'The dictionary' }
    ]
  },
  {
    title: 'For operators',
    pages: [
      { name: '', source: 'README.md', label: 'Setting up' },
      { name: 'registry', source: 'docs/registry.md', label: 'The registry' },
      { name: 'nodes', source: 'docs/nodes.md', label: 'Nodes' },
      { name: 'voices', source: 'docs/voices.md', label: 'Voices and credits' },
      { name: 'doctor', source: 'docs/doctor.md', label: 'The doctor' }
    ]
  },
  {
    title: 'For programs',
    pages: [
      { name: 'speech-api', source: 'docs/speech-api.md', label: 'Speech API' },
      { name: 'services', source: 'docs/services.md', label: 'Other services' },
      { name: 'architecture', source: 'bot/ARCHITECTURE.md', label: 'How it is built' }
    ]
  }
]

export const PAGES: readonly PageSource[] = SECTIONS.flatMap(({ pages }) => pages)

/** What an operator takes away from here; it lies below `BASE` by its path in the repository. */
export const TAKEN_ALONG: readonly string[] = ['gas/dist/Code.js', 'gas/dist/appsscript.json', 'colab/node.ipynb']

export function pageAddressOf(name: string): string {
  return `${BASE}${name}`
}
