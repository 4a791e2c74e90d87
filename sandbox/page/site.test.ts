import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

/** The page's modules are plain JavaScript, loaded here as the browser loads them. */
const load = async <Module>(name: string) => (await import(new URL(`site/${name}`, import.meta.url).href)) as Module

interface Entry { name: string; label: string; commandName: string; description: string; options: object[]; path: object }
type Written = Record<string, string>
interface Places { members: { id: string; name: string }[]; channels: { id: string; name: string; type: number }[]; roles: never[] }

const { commandEntries } = await load<{ commandEntries: (commands: object[], guildId: string, member: object | null) => Entry[] }>('command-entries.js')
const { parseCommandLine, checkOptions } = await load<{
  parseCommandLine: (line: string, entries: Entry[]) => { entry: Entry; written: Written } | null
  checkOptions: (entry: Entry, written: Written, places: Places) => { values: object; problems: Written }
}>('command-line.js')
const { parseMarkdown } = await load<{ parseMarkdown: (text: string) => { type: string; text?: string; children?: object[] }[] }>('markdown.js')
const { pcmSamples, wavBlob } = await load<{ pcmSamples: (base64: string) => Float32Array; wavBlob: (samples: Float32Array) => Blob }>('utterances.js')

const say = {
  name: 'say',
  description: 'Speak',
  description_localizations: { ja: '話す' },
  options: [
    { type: 3, name: 'text', description: 'What', required: true, max_length: 20 },
    { type: 3, name: 'voice', description: 'Whose', choices: [{ name: 'Heart', value: 'h1' }] },
    { type: 4, name: 'times', description: 'How often', min_value: 1, max_value: 5 },
    { type: 5, name: 'loud', description: 'Loud' },
    { type: 6, name: 'to', description: 'Whom' },
    { type: 7, name: 'where', description: 'Where', channel_types: [2] }
  ]
}
const nodes = {
  name: 'nodes',
  description: 'Nodes',
  default_member_permissions: '0',
  options: [{ type: 1, name: 'list', description: 'All' }, { type: 2, name: 'set', description: '', options: [{ type: 1, name: 'label', description: 'Name it', options: [] }] }]
}
const commands = [{ guildId: null, data: say }, { guildId: null, data: nodes }, { guildId: 'other', data: { name: 'away', description: 'x' } }, { guildId: null, data: { type: 3, name: 'Menu' } }]
const admin = { permissions: String(1n << 3n), locale: 'en-US' }
const entries = commandEntries(commands, 'here', admin)
const places = { members: [{ id: '7', name: 'Haru' }], channels: [{ id: '8', name: 'Lounge', type: 2 }, { id: '9', name: 'general', type: 0 }], roles: [] }

function checked(line: string) {
  const parsed = parseCommandLine(line, entries)
  if (!parsed) throw new Error(`no command in ${line}`)
  return checkOptions(parsed.entry, parsed.written, places)
}

describe('the list of commands', () => {
  it('has each subcommand as a line of its own, of this server and of slash commands only', () => {
    expect(entries.map(({ name }) => name)).toEqual(['nodes list', 'nodes set label', 'say'])
    expect(entries[1]).toMatchObject({ commandName: 'nodes', path: { subcommandGroup: 'set', subcommand: 'label' } })
  })

  it('hides what the member may not use', () => {
    expect(commandEntries(commands, 'here', { permissions: '2048' }).map(({ name }) => name)).toEqual(['say'])
  })

  it('speaks the member’s language where the command does', () => {
    const [, , inJapanese] = commandEntries(commands, 'here', { ...admin, locale: 'ja' })
    expect(inJapanese?.description).toBe('話す')
  })

  it('shows names in the member’s language, and takes the registered ones too', () => {
    const localised = { name: 'say', description: 'x', name_localizations: { ja: '話す' }, options: [{ type: 3, name: 'text', name_localizations: { ja: '文章' }, description: 'x' }] }
    const inJapanese = commandEntries([{ guildId: null, data: localised }], 'here', { ...admin, locale: 'ja' })
    expect(inJapanese.map(({ label, name }) => [label, name])).toEqual([['話す', 'say']])
    for (const line of ['/話す 文章:やあ', '/say text:やあ', '/話す やあ']) expect(parseCommandLine(line, inJapanese)).toMatchObject({ entry: { commandName: 'say' }, written: { text: 'やあ' } })
  })
})

describe('a command in one line', () => {
  it.each<[string, object]>([
    ['/say Hello there', { text: 'Hello there' }],
    ['/say text:Hello: you', { text: 'Hello: you' }],
    ['/say text:see text: below', { text: 'see text: below' }],
    ['/say Hello voice:heart times:2 loud:yes', { text: 'Hello', voice: 'h1', times: 2, loud: true }],
    ['/SAY voice:Heart text:Hi', { text: 'Hi', voice: 'h1' }],
    ['/say Hi to:@haru where:#lounge', { text: 'Hi', to: '7', where: '8' }],
    ['/say Hi to:<@7>', { text: 'Hi', to: '7' }],
    ['/say at http://a.b/c:d', { text: 'at http://a.b/c:d' }]
  ])('reads %s', (line, values) => {
    expect(checked(line)).toEqual({ values, problems: {} })
  })

  it.each([
    ['/say', 'text'],
    ['/say text:', 'text'],
    [`/say ${'x'.repeat(21)}`, 'text'],
    ['/say Hi voice:nobody', 'voice'],
    ['/say Hi times:6', 'times'],
    ['/say Hi times:1.5', 'times'],
    ['/say Hi loud:maybe', 'loud'],
    ['/say Hi to:nobody', 'to'],
    ['/say Hi where:general', 'where']
  ])('says what is wrong with %s', (line, option) => {
    expect(Object.keys(checked(line).problems)).toEqual([option])
  })

  it.each(['say Hi', '/sayHi', '/unknown', '/', ' /say'])('is none: "%s"', (line) => {
    expect(parseCommandLine(line, entries)).toBeNull()
  })

  it('takes the longest name', () => {
    expect(parseCommandLine('/nodes set label x', entries)?.entry.name).toBe('nodes set label')
  })
})

describe('markdown', () => {
  const plain = (nodes: { type: string; text?: string; children?: object[] }[]): string =>
    nodes.map(({ type, text, children }) => (children ? `${type}(${plain(children as typeof nodes)})` : type === 'text' ? text : `${type}[${text ?? ''}]`)).join('')

  it.each([
    ['**a** *b* __c__ ~~d~~', 'strong(a) emphasis(b) underline(c) strike(d)'],
    ['**a *b* c**', 'strong(a emphasis(b) c)'],
    ['`**a**`', 'code[**a**]'],
    ['```js\nlet a\n```', 'codeBlock[let a]'],
    ['snake_case_name 2 * 3 * 4', 'snake_case_name 2 * 3 * 4'],
    ['\\*no\\*', '*no*'],
    ['GPL \\(free\\), a\\-b', 'GPL (free), a-b'],
    ['<:wave:123456>', 'emoji[:wave:]'],
    ['> said', 'quote(said)'],
    ['see <https://a.example/x>.', 'see link[https://a.example/x].'],
    ['[x](javascript:alert(1))', '[x](javascript:alert(1))'],
    ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>']
  ])('reads %s', (text, tree) => {
    expect(plain(parseMarkdown(text))).toBe(tree)
  })

  it('loses nothing of a text without markup, and ends on every text', () => {
    fc.assert(fc.property(fc.stringMatching(/^[a-z ,.!]{0,200}$/), (text) => plain(parseMarkdown(text)) === text))
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom('*', '_', '|', '~', '`', '<', '@', '>', 'a', ' ', '\n', '['), maxLength: 300 }), (text) => Array.isArray(parseMarkdown(text))))
  })
})

describe('what was heard', () => {
  it('becomes a WAV file with the same samples', async () => {
    const pcm = Buffer.alloc(8)
    for (const [at, value] of [0, 16_384, -16_384, -32_768].entries()) pcm.writeInt16LE(value, at * 2)
    const samples = pcmSamples(pcm.toString('base64'))
    expect([...samples]).toEqual([0, 0.5, -0.5, -1])
    const wav = Buffer.from(await wavBlob(samples).arrayBuffer())
    expect([wav.toString('latin1', 0, 4), wav.toString('latin1', 8, 16), wav.readUInt32LE(24), wav.readUInt32LE(40), wav.length]).toEqual(['RIFF', 'WAVEfmt ', 48_000, 8, 52])
    expect(Math.abs(wav.readInt16LE(46) - 16_384)).toBeLessThanOrEqual(1)
  })
})
