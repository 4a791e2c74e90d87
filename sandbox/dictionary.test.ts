import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ENTRIES_MAX } from '../bot/dictionary/scope.ts'
import { sentences } from '../bot/i18n/index.ts'
import type { OptionValue } from './acts/command-options.ts'
import { packetsFor, startFaultNode } from './fault-node.ts'
import { openStage } from './stage.ts'
import type { Stage } from './stage.ts'
import type { Message } from './world.ts'

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage.close())

const { en, ja, ko } = sentences
const mine = (name: string) => ({ of: 'mine' as const, userId: stage.person(name) })
const server = () => ({ of: 'server' as const, guildId: stage.guildId })
const words = (scope: Parameters<Stage['bot']['app']['dictionaries']['list']>[0]) => stage.bot.app.dictionaries.list(scope).map(({ from, to }) => `${from}=${to}`)
const dictionary = (name: string, subcommand: string, options: Record<string, OptionValue> = {}) => stage.reply(name, 'general', 'dictionary', options, { subcommand })

function upload(name: string, filename: string, content: string | Uint8Array): string {
  return stage.sandbox.act.upload(stage.person(name), stage.channel('general'), { filename, contentType: 'text/plain', bytes: Buffer.from(content) })
}
const importing = (name: string, content: string | Uint8Array, options: Record<string, OptionValue> = {}, filename = 'words.csv') =>
  stage.slash(name, 'general', 'dictionary', { file: upload(name, filename, content), ...options }, { subcommand: 'import' })
const imported = (...what: Parameters<typeof importing>) => stage.replyLike(importing(...what), /./)
const textOf = ({ attachments: [file] }: Message) => Buffer.from(file?.bytes ?? []).toString('utf8')

describe('an entry', () => {
  it('is heard at once, in texts and in names, by whom it was made for', async () => {
    const node = await startFaultNode({ serverId: 'n1' })
    try {
      await stage.register(node)
      stage.sandbox.act.joinVoice(stage.person('Mina'), stage.channel('Lounge'))
      const listener = stage.sandbox.voice.listen(stage.guildId, stage.channel('Lounge'))
      await dictionary('Mina', 'add', { from: 'GPU', to: 'graphics card', scope: 'server' })
      await dictionary('Mina', 'add', { from: 'haru', to: 'Spring' })
      const said = stage.slash('Mina', 'general', 'say', { text: `My ＧＰＵ says hi to <@${stage.person('Haru')}>.` })
      await stage.replyLike(said, /Said in/)
      expect(node.received.map(({ input }) => input)).toEqual(['My graphics card says hi to Spring.'])
      expect(listener.speech.map(({ opus }) => Buffer.from(opus))).toEqual(packetsFor('My graphics card says hi to Spring.').map((packet) => Buffer.from(packet)))
      await stage.reply('Alex', 'general', 'say', { text: 'Haru has a gpu.', deliver: 'file' })
      expect(node.received.at(-1)?.input).toBe('Haru has a graphics card.')
    } finally {
      await node.close()
    }
  })

  it('of the server’s own emoji is heard where that is posted', async () => {
    await dictionary('Haru', 'add', { from: '<:kusa:123456789012345678>', to: 'くさ' })
    expect((await dictionary('Haru', 'test', { text: 'それは<:kusa:123456789012345678>' })).content).toContain('🔊 それは くさ')
  })

  it('is told to its member alone, in their language, without mentioning anybody', async () => {
    const added = await dictionary('Haru', 'add', { from: '@everyone', to: '**みんな**', priority: 7 })
    expect(added.content).toBe(ja['dictionary.added']({ of: ja['dictionary.of.mine'](), entry: '**\\@everyone** → \\*\\*みんな\\*\\* · 優先度 7' }))
    expect([added.onlyForUserId, added.mentionsEveryone]).toEqual([stage.person('Haru'), false])
    const changed = await dictionary('Jisoo', 'add', { from: 'w', to: 'ㅋ' }).then(() => dictionary('Jisoo', 'add', { from: 'Ｗ' }))
    expect(changed.content).toBe(ko['dictionary.changed']({ of: ko['dictionary.of.mine'](), entry: `**Ｗ** → ${ko['dictionary.silent']()}`, was: 'ㅋ' }))
    expect((await dictionary('Jisoo', 'remove', { from: 'w' })).content).toContain(ko['dictionary.silent']())
    expect((await dictionary('Jisoo', 'remove', { from: 'w' })).content).toBe(ko['dictionary.notThere']({ of: ko['dictionary.of.mine'](), name: 'w' }))
  })

  it('that is a bad regular expression is refused with the reason', async () => {
    expect((await dictionary('Mina', 'add', { from: '(?<=a)b', to: 'x', kind: 'regex' })).content).toMatch(/RE2: .*\\\(\?/)
    expect((await dictionary('Mina', 'add', { from: '\\p{L}{900}', to: 'x', kind: 'regex' })).content).toBe(en['dictionary.fault.regexTooLarge']())
    expect(words(mine('Mina'))).toEqual([])
  })
})

describe('who may change what', () => {
  const change = async (name: string, scope: string) => {
    const { content } = await dictionary(name, 'add', { from: 'a', to: 'b', scope })
    const { content: removed } = await dictionary(name, 'remove', { from: 'zzz', scope })
    const { content: filled } = await imported(name, 'c,d', { scope })
    return [content, removed, filled]
  }

  it('a server’s: who manages it, or has the manager role', async () => {
    expect(await change('Alex', 'server')).toEqual(Array(3).fill(en['refused.notManager']()))
    expect(words(server())).toEqual([])
    const [role] = stage.sandbox.world.guilds.get(stage.guildId)!.roles.values()
    stage.bot.app.settings.change(stage.guildId, { managerRoleId: role!.id })
    expect((await change('Alex', 'server'))[0]).toContain('a** → b')
    expect(words(server())).toEqual(['a=b', 'c=d'])
    expect((await dictionary('Haru', 'list', { scope: 'server' })).content).toContain('**a** → b')
  })

  it('that of all servers: the admins of the bot', async () => {
    stage.bot.app.settings.change(stage.guildId, { managerRoleId: stage.guildId })
    expect(await change('Alex', 'all')).toEqual(Array(3).fill(en['refused.notAdmin']()))
    expect(words({ of: 'all' })).toEqual([])
    await change('Mina', 'all')
    expect(words({ of: 'all' })).toEqual(['a=b', 'c=d'])
    expect((await dictionary('Alex', 'test', { text: 'a c' })).content).toContain('🔊 b d')
  })
})

describe('finding an entry', () => {
  it('while typing what to remove: at most 25, the close ones first', async () => {
    await stage.bot.app.dictionaries.fill(mine('Mina'), Array.from({ length: 60 }, (_, index) => ({ from: `word ${index}`, to: 'x'.repeat(150) })), 'merge')
    const suggest = (from: string, more = {}) =>
      stage.sandbox.act.autocomplete(stage.person('Mina'), stage.channel('general'), 'dictionary', { from, ...more }, 'from', { subcommand: 'remove' })
    expect((await suggest('')).map(({ value }) => value)).toEqual(Array.from({ length: 25 }, (_, index) => `word ${59 - index}`))
    expect((await suggest('ＷＯＲＤ 42'))[0]).toMatchObject({ value: 'word 42', name: expect.stringMatching(/^word 42 → x+…$/) as string })
    expect(await suggest('', { scope: 'server' })).toEqual([])
  })

  it('by a search in all that hold for the member', async () => {
    await dictionary('Mina', 'add', { from: 'Kubernetes', to: 'one', scope: 'all' })
    await dictionary('Mina', 'add', { from: 'kubectl', to: 'two', scope: 'server' })
    await dictionary('Alex', 'add', { from: 'cube', to: 'three' })
    const { content } = await dictionary('Alex', 'search', { query: 'kube' })
    expect(content.split('\n').sort()).toEqual([`**Kubernetes** → one · ${en['dictionary.of.all']()}`, `**kubectl** → two · ${en['dictionary.of.server']()}`])
    expect((await dictionary('Alex', 'search', { query: 'kube', scope: 'mine' })).content).toBe(en['dictionary.notFound']({ name: 'kube' }))
  })
})

describe('the list', () => {
  it('goes page by page, also by a button from before a restart, and shows what is there then', async () => {
    await stage.bot.app.dictionaries.fill(server(), Array.from({ length: 25 }, (_, index) => ({ from: `w${index}`, to: `v${index}` })), 'merge')
    const message = await dictionary('Haru', 'list', { scope: 'server' })
    const rows = () => stage.sandbox.world.messages.get(message.id)!.content.split('\n').slice(1).map((row) => /\*\*(w\d+)\*\*/.exec(row)?.[1])
    expect(rows()).toEqual(Array.from({ length: 10 }, (_, index) => `w${24 - index}`))
    await stage.restart()
    const press = async (page: number) => {
      const pressed = stage.sandbox.act.button(stage.person('Haru'), message.id, `dictionary:list:server:${page}`)
      await stage.sandbox.act.until(() => pressed.state === 'answered')
    }
    await press(1)
    expect(rows()).toEqual(Array.from({ length: 10 }, (_, index) => `w${14 - index}`))
    await press(2)
    expect(rows()).toEqual(['w4', 'w3', 'w2', 'w1', 'w0'])
    expect(() => stage.sandbox.act.button(stage.person('Haru'), message.id, 'dictionary:list:server:3')).toThrow()
    stage.bot.app.dictionaries.remove(server(), 'w24')
    for (let index = 9; index < 24; index++) stage.bot.app.dictionaries.remove(server(), `w${index}`)
    await press(1)
    expect(rows()).toEqual(['w8', 'w7', 'w6', 'w5', 'w4', 'w3', 'w2', 'w1', 'w0'])
    expect(stage.sandbox.world.messages.get(message.id)?.components).toEqual([])
  })

  it('fits a message whatever the entries are', async () => {
    await stage.bot.app.dictionaries.fill(mine('Alex'), Array.from({ length: 30 }, (_, index) => ({ from: '*'.repeat(90) + String(index), to: '_'.repeat(200), priority: 10, wholeWord: false })), 'merge')
    expect((await dictionary('Alex', 'list')).content.split('\n').length).toBe(11)
    expect((await dictionary('Alex', 'search', { query: '*' })).content).toContain('…')
    // Signs of which each is escaped.
    await stage.bot.app.dictionaries.fill(server(), Array.from({ length: 12 }, (_, index) => ({ from: `e${index}`, to: '_'.repeat(200), priority: 10 })), 'merge')
    const text = `so ${Array.from({ length: 12 }, (_, index) => `e${index}`).join(' ')}`
    for (const name of ['Alex', 'Haru', 'Jisoo']) expect((await dictionary(name, 'test', { text })).content).toMatch(/^🔊 so [\\_ ]+…\n/)
    expect((await dictionary('Jisoo', 'list')).content).toBe(ko['dictionary.none']({ of: ko['dictionary.of.mine']() }))
  })
})

describe('a file', () => {
  it.each(['csv', 'json'])('of %s goes out, and comes in again somewhere else as it was', async (format) => {
    const given = [
      { from: '=SUM(A1)', to: '+1', priority: 0, wholeWord: false }, { from: "'quoted\", twice", to: '一、二', priority: 10 }, { from: 'GPU', to: '' },
      { from: '(\\d+)日', to: '$1にち', kind: 'regex' as const }
    ]
    for (const draft of given) expect(stage.bot.app.dictionaries.add(server(), draft)).toMatchObject({ ok: true })
    const message = await dictionary('Haru', 'export', { scope: 'server', format })
    expect([message.onlyForUserId, message.attachments[0]?.filename]).toEqual([stage.person('Haru'), `dictionary-server.${format}`])
    const reply = await imported('Haru', textOf(message))
    expect(reply.content).toBe(ja['dictionary.imported.done']({ of: ja['dictionary.of.mine'](), added: 4, changed: 0, same: 0, removed: 0 }))
    const shape = (scope: Parameters<typeof words>[0]) => stage.bot.app.dictionaries.list(scope).map(({ from, to, kind, priority, wholeWord }) => ({ from, to, kind, priority, wholeWord }))
    expect(shape(mine('Haru'))).toEqual(shape(server()))
    expect(textOf(message)).not.toMatch(/^"?[=+]/m)
  })

  it.each(['csv', 'json'])('of %s with all that a server may have, each as long as it may be, comes in again too', async (format) => {
    const longest = Array.from({ length: ENTRIES_MAX.server }, (_, index) => ({ from: `${index}${'漢'.repeat(100)}`.slice(0, 100), to: 'か'.repeat(200), priority: 10, wholeWord: false }))
    await stage.bot.app.dictionaries.fill(server(), longest, 'replace')
    const message = await dictionary('Mina', 'export', { scope: 'server', format })
    const { content } = await imported('Mina', textOf(message), { scope: 'server', mode: 'replace' }, `all.${format}`)
    expect(content).toBe(en['dictionary.imported.done']({ of: en['dictionary.of.server'](), added: 0, changed: 0, same: ENTRIES_MAX.server, removed: 0 }))
  })

  it('is told what became of it: what was added, changed and removed, and which lines were bad', async () => {
    await dictionary('Alex', 'add', { from: 'old', to: 'x' })
    await dictionary('Alex', 'add', { from: 'a', to: 'x' })
    const bad = ['only', ',nothing', `${'x'.repeat(101)},long`, 'p,q,literal,99', 'r,s,magic', '(,t,regex', 'u,v,regex']
    const { content } = await imported('Alex', `from,to,kind,priority\na,b\n${bad.join('\n')}\nc,d`, { mode: 'replace' })
    expect(content.split('\n')).toEqual([
      en['dictionary.imported.done']({ of: en['dictionary.of.mine'](), added: 2, changed: 1, same: 0, removed: 1 }),
      en['dictionary.bad.count']({ count: 6 }),
      en['dictionary.bad.line']({ place: 3, why: en['dictionary.fault.columns']() }),
      en['dictionary.bad.line']({ place: 4, why: en['dictionary.fault.fromEmpty']() }),
      en['dictionary.bad.line']({ place: 5, why: en['dictionary.fault.fromTooLong']({ max: 100 }) }),
      en['dictionary.bad.line']({ place: 6, why: en['dictionary.fault.priority']() }),
      en['dictionary.bad.line']({ place: 7, why: en['dictionary.fault.kind']() }),
      en['dictionary.more']({ count: 1 })
    ])
    expect(words(mine('Alex'))).toEqual(['a=b', 'u=v', 'c=d'])
  })

  it('of VOICEVOX is taken, in any of the usual encodings', async () => {
    const user = { 'b1affe2a-d5f0-4050-926c-f28e0c1d9a98': { surface: 'ＶＯＩＣＥＶＯＸ', pronunciation: 'ボイスボックス', accent_type: 4, word_type: 'PROPER_NOUN', priority: 6 }, x: { surface: 'y' } }
    const { content } = await imported('Haru', Buffer.from(`\ufeff${JSON.stringify(user)}`, 'utf16le'), {}, 'user_dict.json')
    expect(content).toContain(ja['dictionary.bad.entry']({ place: 2, why: ja['dictionary.fault.fields']() }))
    expect(stage.bot.app.dictionaries.list(mine('Haru'))).toMatchObject([{ from: 'VOICEVOX', to: 'ボイスボックス', priority: 6 }])
    expect((await dictionary('Haru', 'test', { text: 'ｖｏｉｃｅｖｏｘで話す' })).content).toContain('🔊 ボイスボックスで話す')
  })

  it.each<[string, string | Uint8Array, string]>([
    ['is too large', 'x'.repeat(512 * 1024 + 1), en['dictionary.file.tooLarge']({ max: 512 })],
    ['is a picture', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 1, 2), en['dictionary.file.notText']()],
    ['is empty', '', en['dictionary.file.empty']()],
    ['is broken', '{"a":', en['dictionary.file.badJson']()],
    ['is something else', '{"a":{"b":1}}', en['dictionary.file.unknownJson']()],
    ['has no end', 'a,b\n'.repeat(12_000), en['dictionary.file.tooManyRows']({ max: 10_000 })],
    ['has nothing that fits', 'x\n,y', en['dictionary.imported.nothing']()]
  ])('that %s changes nothing', async (_what, content, told) => {
    await dictionary('Alex', 'add', { from: 'kept', to: 'x' })
    expect((await imported('Alex', content, { mode: 'replace' })).content).toContain(told)
    expect(words(mine('Alex'))).toEqual(['kept=x'])
  })

  it('that Discord no longer has is told of', async () => {
    const id = upload('Alex', 'words.csv', 'a,b')
    const sent = stage.slash('Alex', 'general', 'dictionary', { file: id }, { subcommand: 'import' })
    stage.sandbox.world.uploads.delete(id)
    expect((await stage.replyLike(sent, /./)).content).toBe(en['dictionary.file.unreachable']())
  })

  it('beyond the room that there is fills it, and says what is left out', async () => {
    const { content } = await imported('Alex', Array.from({ length: ENTRIES_MAX.mine + 3 }, (_, index) => `w${index},x`).join('\n'))
    expect(content).toContain(en['dictionary.bad.line']({ place: ENTRIES_MAX.mine + 1, why: en['dictionary.fault.full']({ max: ENTRIES_MAX.mine }) }))
    expect(words(mine('Alex')).length).toBe(ENTRIES_MAX.mine)
  })
})

describe('the test', () => {
  it('shows what would be spoken of a message, and what had a part in it', async () => {
    await dictionary('Mina', 'add', { from: 'Haru', to: 'Spring', scope: 'server' })
    await dictionary('Mina', 'add', { from: 'w+', to: 'haha', kind: 'regex' })
    const { content } = await dictionary('Mina', 'test', { text: `**hi** <@${stage.person('Haru')}> www` })
    expect(content.split('\n')).toEqual([
      '🔊 hi Spring haha',
      en['dictionary.used'](),
      `**w+** → haha · ${en['dictionary.tag.regex']()} · ${en['dictionary.of.mine']()}`,
      `**Haru** → Spring · ${en['dictionary.of.server']()}`
    ])
    expect((await dictionary('Mina', 'test', { text: 'nothing' })).content).toBe(`🔊 nothing\n${en['dictionary.unused']()}`)
    expect((await dictionary('Haru', 'test', { text: '...' })).content).toBe(`${ja['dictionary.unspoken']()}\n${ja['dictionary.unused']()}`)
  })
})

it('what was added is there after a restart', async () => {
  await dictionary('Mina', 'add', { from: 'GPU', to: 'card', scope: 'server' })
  await dictionary('Alex', 'add', { from: 'w', to: 'ha' })
  await stage.restart()
  expect((await dictionary('Alex', 'test', { text: 'GPU w' })).content).toContain('🔊 card ha')
})
