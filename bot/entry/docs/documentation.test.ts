import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { ApplicationCommandOptionType } from 'discord.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { commands } from '../../../commands/index.ts'
import { ownLabelOf } from '../own-paths.ts'
import { BASE, PAGES, TAKEN_ALONG } from './contents.ts'
import { documentation } from './documentation.ts'
import type { SiteFiles } from './documentation.ts'

const REPOSITORY = join(import.meta.dirname, '../../..')
/** The end of a deployment's address; a path of somebody's site. */
const NO_COMMANDS = new Set(['exec', 'x'])
const NAMES = [...PAGES.map(({ name }) => (name === '' ? 'index' : name)), '404']

let files: SiteFiles

beforeAll(async () => {
  files = await documentation(REPOSITORY)
})

const htmlOf = (name: string) => String(files.get(`${name}.html`))
const valuesOf = (html: string, attribute: string) => Array.from(html.matchAll(new RegExp(`<[^>]*\\s${attribute}="([^"]*)"`, 'g')), ([, value]) => value!)

/** The file of the site that answers an address, as the gateway finds it. */
function fileAt(path: string): string | undefined {
  const inside = path.slice(BASE.length)
  return [inside === '' ? 'index.html' : inside, `${inside}.html`].find((name) => files.has(name))
}

describe('the documentation', () => {
  it('has a page for every file in docs, for the README and for the architecture', () => {
    const sources = readdirSync(join(REPOSITORY, 'docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)
    expect(PAGES.map(({ source }) => source).sort()).toEqual([...sources, 'README.md', 'bot/ARCHITECTURE.md'].sort())
    for (const name of NAMES) expect(files.has(`${name}.html`), name).toBe(true)
  })

  it('takes along what an operator needs, byte for byte', () => {
    for (const path of TAKEN_ALONG) expect(files.get(path), path).toEqual(readFileSync(join(REPOSITORY, path)))
  })

  it('gives each page a title of its own', () => {
    const titles = NAMES.map((name) => /<title>([^<]+)<\/title>/.exec(htmlOf(name))?.[1])
    expect(titles).not.toContain(undefined)
    expect(new Set(titles).size).toBe(NAMES.length)
  })

  it.each(NAMES)('leads somewhere with every link, anchor and picture: %s', (name) => {
    const html = htmlOf(name)
    const hrefs = valuesOf(html, 'href')
    expect(hrefs).toContain('/docs/nodes')
    for (const href of hrefs.filter((each) => each !== '/' && !/^https?:\/\//.test(each))) {
      const [path = '', section] = href.split('#')
      const file = path === '' ? `${name}.html` : fileAt(path)
      expect(file, href).toBeDefined()
      if (section !== undefined) expect(valuesOf(String(files.get(file!)), 'id'), href).toContain(section)
    }
    for (const src of valuesOf(html, 'src')) expect(files.has(src.slice(BASE.length)), src).toBe(true)
  })

  it.each(NAMES)('has one h1, headings that skip no level, and no id twice: %s', (name) => {
    const html = htmlOf(name)
    const levels = Array.from(html.matchAll(/<h([1-6])/g), ([, level]) => Number(level))
    expect(levels.filter((level) => level === 1)).toEqual([1])
    levels.forEach((level, index) => expect(level, levels.join(' ')).toBeLessThanOrEqual((levels[index - 1] ?? 0) + 1))
    const ids = valuesOf(html, 'id')
    expect(new Set(ids).size).toBe(ids.length)
  })

  it.each(NAMES)('has no script, no style of its own, and nothing from elsewhere: %s', (name) => {
    const html = htmlOf(name)
    expect(html).not.toMatch(/<script|<style|<iframe|\sstyle="|\son[a-z]+="|href="javascript:/i)
    for (const src of valuesOf(html, 'src')) expect(src.startsWith(BASE)).toBe(true)
    expect(Array.from(html.matchAll(/<link [^>]*href="([^"]+)"/g), ([, href]) => href)).toEqual(['/docs/icon.svg', '/docs/docs.css'])
  })

  it.each(PAGES)('marks the page that one is on in the list of pages, and no other: $label', ({ name, label }) => {
    const marked = Array.from(htmlOf(name === '' ? 'index' : name).matchAll(/<a href="([^"]+)" aria-current="page">([^<]+)</g), ([, href, text]) => [href, text])
    expect(marked).toEqual(Array.from({ length: 2 }, () => [`${BASE}${name}`, label]))
  })
})

describe('the sources of the documentation', () => {
  it.each(PAGES)('name files that are in the repository, so that their links work there too: $source', ({ source }) => {
    const markdown = readFileSync(join(REPOSITORY, source), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '')
    for (const [, href = ''] of markdown.matchAll(/\]\(([^)\s]+)\)/g)) {
      const [path = ''] = href.split('#')
      if (path === '' || /^https?:/.test(path)) continue
      expect(existsSync(join(REPOSITORY, posix.dirname(source), path)), href).toBe(true)
    }
  })

  it.each(PAGES)('name only commands that there are: $source', ({ source }) => {
    for (const [span, name = '', subcommand] of readFileSync(join(REPOSITORY, source), 'utf8').matchAll(/`\/([a-z]+)(?: ([a-z]+)[^`]*)?`/g)) {
      if (ownLabelOf(`/${name}`) !== undefined || NO_COMMANDS.has(name)) continue
      const { options = [] } = commands.flatMap(({ data }) => (data.name === name && 'description' in data ? [data] : []))[0] ?? {}
      const subcommands = options.flatMap((option) => (option.type === ApplicationCommandOptionType.Subcommand ? [option.name] : []))
      expect(commands.map(({ data }) => data.name), span).toContain(name)
      if (subcommand !== undefined && subcommands.length > 0) expect(subcommands, span).toContain(subcommand)
    }
  })
})
