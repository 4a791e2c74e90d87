import { describe, expect, it } from 'vitest'
import type { Posted } from './posted.ts'
import { DEFAULT_RULES, readPosted } from './read.ts'
import type { ReadingContext, ReadingRules } from './read.ts'

const USERS: Record<string, string> = { 1: 'Mina', 2: 'みな🌸', 3: '**Bob**', 4: '<@1>', 5: '★☆' }
const context: ReadingContext = {
  names: {
    user: (id) => USERS[id],
    role: (id) => (id === '1' ? 'Helpers' : undefined),
    channel: (id) => (id === '1' ? '💬┃general-chat' : undefined)
  },
  rules: DEFAULT_RULES,
  replace: (text) => text,
  nowMs: 1_700_000_300_000
}

function spoken(posted: string | Posted, rules: Partial<ReadingRules> = {}, more: Partial<ReadingContext> = {}): string {
  const read = readPosted(typeof posted === 'string' ? { content: posted } : posted, { ...context, ...more, rules: { ...DEFAULT_RULES, ...rules } })
  return read.ok ? read.text : `(${read.reason})`
}

type Row = readonly [posted: string | Posted, spoken: string, rules?: Partial<ReadingRules>]
const rows: Readonly<Record<string, readonly Row[]>> = {
  'plain text': [
    ['Hello there.', 'Hello there.'],
    ['  こんにちは  ', 'こんにちは'],
    ['one\n\n\n  two', 'one\ntwo'],
    ['5 * 3 = 15, 2 < 3 & R&D', '5 * 3 = 15, 2 < 3 & R&D'],
    ['snake_case_name', 'snake_case_name'],
    ['1000000000 ½ ㎏ ™ x² 3.14', '1000000000 ½ ㎏ ™ x² 3.14']
  ],
  markup: [
    ['**bold** *it* _it_ ***both*** ~~gone~~ __under__', 'bold it it both gone under'],
    ['**bold *in* it** and **`code`**', 'bold in it and code'],
    ['\\*no\\* ¯\\_(ツ)_/¯', '*no* ¯_(ツ)_/¯'],
    ['**open', '**open'],
    ['f***', 'f***'],
    ['# Title\n## Two\n-# small', 'Title\nTwo\nsmall'],
    ['#hashtag >arrow -5', '#hashtag >arrow -5'],
    ['> quoted\n>>> all\nof it', 'quoted\nall\nof it'],
    ['- item\n  - inner\n* star\n1. first', 'item\ninner\nstar\n1. first'],
    ['[the **page**](https://a.b/c_(d)) now', 'the page now'],
    ['[a](b) and [c] (https://d.e)', '[a](b) and [c] (link)'],
    ['`x = 1` is inline', 'x = 1 is inline'],
    ['``a`b``', 'a`b'],
    ['`**not bold** <@1>`', '**not bold** <@1>'],
    ['```js\nlet a\n```', 'code'],
    ['look ```x``` here', 'look here', { code: 'skip' }],
    ['look ```js\nlet a = 1\n``` here', 'look\nlet a = 1\nhere', { code: 'read' }],
    ['```open code', '```open code'],
    ['the ||butler|| did it', 'the spoiler did it'],
    ['the ||butler|| did it', 'the did it', { spoilers: 'skip' }],
    ['the ||**butler** <@1>|| did it', 'the butler Mina did it', { spoilers: 'read' }],
    ['||a|| ||b||\n||c||', 'spoiler'],
    ['||a||||b|| by ||`c||`', 'spoiler by spoiler `'],
    ['犯人は||ヤス||だ', '犯人は ネタバレ だ'],
    ['a || b', 'a || b']
  ],
  'what is mentioned': [
    ['hi <@1>!', 'hi Mina!'],
    ['hey<@!1>there', 'hey Mina there'],
    ['<@1>さん、<@2>だよ', 'Minaさん、みなだよ'],
    ['<@3> and <@4>', 'Bob and 1'],
    ['hi <@9>, <@5>', 'hi someone, someone'],
    ['<@9>さんへ', 'だれかさんへ'],
    ['<@9> 안녕하세요', '누군가 안녕하세요'],
    ['<@&1> in <#1>', 'Helpers in general chat'],
    ['<@&9> in <#9>', 'a role in a channel'],
    ['@everyone hi @here', 'everyone hi everyone here'],
    ['me@here.com', 'me@here.com'],
    ['</voice set:5> it', 'voice set it'],
    ['see <id:customize> and <id:linked-roles:5>', 'see channels and roles and linked roles'],
    ['https://discord.com/channels/7/1/8 has it', 'general chat has it'],
    ['<@12', '<@12']
  ],
  times: [
    ['starts <t:1700000600:R>', 'starts in 5 minutes'],
    ['was <t:1699992000:R>', 'was 2 hours ago'],
    ['<t:1700000000>', 'November 14, 2023 at 10:13 PM UTC'],
    ['<t:1700000000:D>に集合', '2023年11月15日に集合'],
    ['<t:1700000600:R>にはじまります', '5 分後にはじまります'],
    ['<t:1700000000:t>에 시작해요', '오전 7:13에 시작해요'],
    ['<t:1700000000:x>', 'November 14, 2023 at 10:13 PM UTC'],
    ['at <t:99999999999999999:F>', 'at a time']
  ],
  emoji: [
    ['nice 👍', 'nice thumbs up'],
    ['nice👍job', 'nice thumbs up job'],
    ['いいね👍', 'いいね サムズアップ'],
    ['좋아요👍', '좋아요 올린 엄지'],
    ['nice 👍', 'nice', { emoji: 'skip' }],
    ['😂😂😂 😂\n😂', 'face with tears of joy'],
    ['👋🏽 👨‍👩‍👧‍👦 ❤️ ☺', 'waving hand family red heart smiling face'],
    ['🇯🇵 🇰🇷 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏳️‍🌈', 'Japan South Korea England rainbow flag'],
    ['1️⃣ #️⃣ 2', '1 # 2'],
    ['🅱️ig 🇭 🇮', 'Big H I'],
    ['© ↔ ™', '(empty)'],
    ['a🏻b \u{1f9ff}\u200d\u{1f525}', 'ab nazar amulet'],
    ['<:thumbs_up:5> <a:party:6>', 'thumbs up party'],
    ['<:thumbs_up:5> ok', 'ok', { emoji: 'skip' }],
    ['<:a:5><:a:5><:a:5>', 'a'],
    ['🍎🍐🍊🍋🍌🍉🍇🍓🍈🍒 ok', 'red apple pear tangerine lemon banana watermelon grapes strawberry ok']
  ],
  links: [
    ['see https://a.b/c?d=e.', 'see link.'],
    ['(https://a.b/c) <https://a.b>', '(link) link'],
    ['https://a.b https://c.d\nhttp://e.f', 'link'],
    ['www.a.b or discord.gg/abc', 'link or link'],
    ['https://example.comを見て', 'リンク を見て'],
    ['これ（https://a.b/c）見て', 'これ（リンク）見て'],
    ['여기 https://a.b 예요', '여기 링크 예요'],
    ['see https://www.youtube.com/watch?v=1 ok', 'see link to youtube.com ok', { links: 'site' }],
    ['https://a.com/1 https://a.com/2 https://b.com', 'link to a.com link to b.com', { links: 'site' }],
    ['https://日本語.jp/ を見て', 'リンク を見て', { links: 'site' }],
    ['see https://a.b/c ok', 'see ok', { links: 'skip' }],
    ['https://', 'https://']
  ],
  letters: [
    ['𝓗𝓮𝓵𝓵𝓸 Ｗｏｒｌｄ ⓗⓘ 🅗🅘 ℍ𝕚', 'Hello World hi HI Hi'],
    ['ᴛʜɪs ɪs ᵗʰᵉ', 'this ɪs the'],
    ['ｶﾞﾝﾊﾞﾚ', 'ガンバレ'],
    ['ほんとう！？（笑）', 'ほんとう！？（笑）'],
    ['z\u0351\u0352\u0357\u035ba h\u0336e\u0336y', 'za hey'],
    ['e\u0301 n\u0303 việt ก็', 'é ñ việt ก็'],
    ['か\u3099っこう', 'がっこう'],
    ['zero\u200bwidth \u202edirection\u202c soft\u00adhyphen fil\u3164ler', 'zerowidth direction softhyphen filler'],
    ['a\u0000b\u0007c\r\nd', 'abc\nd']
  ],
  repetition: [
    ['haaaaaaaaaa!!!!!!', 'haaa!!!'],
    ['hahahahahaha', 'hahaha'],
    ['spam spam spam spam spam eggs', 'spam spam spam eggs'],
    ['7'.repeat(2000), '7'.repeat(15)],
    ['わーーーーーい', 'わーーーい'],
    ['ㅋㅋㅋㅋㅋㅋ', 'ㅋㅋㅋ'],
    ['草wwwwww', '草わら'],
    ['それなｗｗｗ', 'それなわら'],
    ['www', 'www']
  ],
  'look-alikes of speech markup': [
    ['<speak>hi</speak>', 'speak hi /speak'],
    ['<break time="10s"/>', 'break time="10s"/'],
    ['&lt;b&gt; &#60;', '& lt;b& gt; & #60;'],
    ['<a<b>>', 'a b >'],
    ['I <3 you', 'I <3 you']
  ],
  'what hangs on a message': [
    [{ content: '', attachments: [{ kind: 'image', name: 'a.png' }] }, 'an image'],
    [{ content: 'look', attachments: [{ kind: 'image', name: 'a' }, { kind: 'image', name: 'b' }, { kind: 'voiceMessage', name: 'c' }] }, 'look\n2 images, a voice message'],
    [{ content: 'これ', attachments: [{ kind: 'image', name: 'a' }, { kind: 'image', name: 'b' }, { kind: 'video', name: 'c' }] }, 'これ\n画像2枚、動画'],
    [{ content: '이거', attachments: [{ kind: 'file', name: 'a' }] }, '이거\n파일'],
    [{ content: '', attachments: [{ kind: 'text', name: 'a' }] }, '(empty)', { attachments: 'skip' }],
    [{ content: '', attachments: [{ kind: 'audio', name: 'a' }] }, '音声ファイル', { language: 'ja' }],
    [{ content: '', stickers: ['Wave_hi'] }, 'sticker Wave hi'],
    [{ content: '', stickers: ['Wave'] }, '(empty)', { emoji: 'skip' }],
    [{ content: '', poll: { question: 'Lunch?', answers: ['Pizza', '🍣'] } }, 'poll: Lunch?\nPizza, sushi'],
    [{ content: '', forwarded: { content: '**hi** <@1>', attachments: [{ kind: 'video', name: 'a' }] } }, 'forwarded: hi Mina\na video'],
    [{ content: '', forwarded: { content: 'これを見て' } }, '転送： これを見て'],
    [{ content: '', forwarded: { content: '...' } }, '(empty)']
  ],
  'lines that are not read': [
    ['; not this', '(prefix)'],
    ['；これも', '(prefix)'],
    ['; not this\nbut this', 'but this'],
    ['; a\n\n; b', '(prefix)'],
    ['; read', '; read', { skipPrefix: '' }],
    // What was covered stays covered where the line with its end, or its beginning, is left out.
    ['||covered\n; and||', 'spoiler'],
    ['who? ||he\n;||', 'who? spoiler'],
    ['; ||so\nshe did||\nit', 'spoiler\nit'],
    ['; a ||b|| c\nd', 'd'],
    ['```\nlet a\n;```', 'code'],
    ['```\n; a\nlet b\n```', 'code'],
    ['; a\n;||', '(prefix)'],
    [{ content: ';', attachments: [{ kind: 'image', name: 'a' }] }, '(prefix)']
  ],
  'nothing to speak': [
    ...['', '   ', '...', '!?', '****', '||||', '\u200b', '___', '> ', 'ーーー', 'っ', '```\n```', '<:_:5>', '*'.repeat(2000)].map((content): Row => [content, '(empty)'])
  ],
  length: [
    ['This is one sentence. This is the second of them.', 'This is one sentence.\nand so on', { maxLength: 30 }],
    ['one two three four five six', 'one two three four\nand so on', { maxLength: 20 }],
    ['今日はとても良い天気ですね。明日も晴れる。', '今日はとても良い天気ですね。\n以下略', { maxLength: 15 }],
    ['오늘은 날씨가 좋네요. 내일도 맑아요.', '오늘은 날씨가 좋네요.\n이하 생략', { maxLength: 15 }],
    ['abcdefghijklmnopqrstuvwxyz', 'abcdefghij\nand so on', { maxLength: 10 }],
    ['exactly 10', 'exactly 10', { maxLength: 10 }],
    ['ก็ก็ก็ ก็ก็ก็ก็', 'ก็ก็ก็\nand so on', { maxLength: 4 }]
  ]
}

describe.each(Object.entries(rows))('%s', (_, of) => {
  it.each(of.map(([posted, text, rules = {}]) => [posted, text, rules] as const))('%j is read as %j', (posted, text, rules) => {
    expect(spoken(posted, rules)).toBe(text)
  })
})

describe('a message', () => {
  it('above 2,000 characters is refused where it would be said in full, and cut where it is read', () => {
    const content = 'word and more. '.repeat(200)
    expect(spoken(content, {}, { overlong: 'refuse' })).toBe('(tooLong)')
    expect(spoken(content).endsWith('\nand so on')).toBe(true)
  })

  it('has the members’ dictionary applied to its text, across markup, and to names, emoji and polls, but not to the bot’s own words', () => {
    const replace = (text: string) => text.replaceAll('Mina', 'Meena').replaceAll('👍', 'great').replaceAll('thumbs_up', 'nice').replaceAll('link', 'chain')
    const posted = { content: 'M**ina** <@1> 👍 <:thumbs_up:5> https://a.b', poll: { question: 'Mina?', answers: [] } }
    expect(spoken(posted, {}, { replace })).toBe('Meena Meena great nice link\npoll: Meena?')
  })

  it('is not spoken with what a dictionary hides in it', () => {
    expect(spoken('word', {}, { replace: () => 'a\u202e\u0000<break/>\ue000b' })).toBe('a break/ b')
  })
})
