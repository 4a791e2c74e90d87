const LENGTH = 2000

/** What is repeated to 2,000 characters, by its name. */
const repeated: Readonly<Record<string, string>> = {
  stars: '*', bars: '|', brackets: '[', 'closing brackets': ']', 'less-than signs': '<', parentheses: '(', backticks: '`', 'greater-than signs': '>', underscores: '_',
  'underscores and tildes': '_~', tildes: '~~', backslashes: '\\', colons: ':', hashes: '#', ats: '@', 'line breaks': '\n', spaces: ' ', 'one letter': 'a', 'one kana': 'あ',
  'one syllable of hangul': '한', 'one digit': '7', 'long vowels': 'ー', 'full stops': '.', 'full stops and spaces': '. ', 'exclamation marks': '！',
  'nested quotes': '> ', 'quotes on every line': '> a\n', 'long quotes': '>>> ', 'headings': '# a\n', 'small print': '-# a\n', 'nested lists': '- ',
  'open bold': '**a', 'open bold and italics': '*a **b ', 'open spoilers': '||a', 'open spoilers and code': '||`', 'open underlines': '__a_b', 'crossing emphasis': '*a_b~~c',
  'open code': '`a', 'open code of two': '``a`b', 'open fences': '```a ', 'fences and backticks': '``` ` ', 'open masked links': '[a](', 'unfinished masked links': '[a](https://a',
  'masked links that nest': '[a](https://a(', 'masked links': '[a](https://b.c) ', 'titles without an end': '[a](https://b "', 'links': 'https://a.b/c ', 'links without spaces': 'https://a.b/',
  'links with brackets': 'https://a.b/(', 'www': 'www.', 'open angles with links': '<https://', 'mentions': '<@100000000000000001>', 'open mentions': '<@1', 'roles': '<@&1>',
  'commands': '</a:1>', 'open commands': '</a b ', 'timestamps': '<t:1700000000:F>', 'other timestamps': '<t:1:x>', 'relative timestamps': '<t:1:R>', 'custom emoji': '<:a:1>', 'everyone': '@everyone ',
  'escapes': '\\*', 'tags': '<b>', 'open tags': '<b ', 'entities': '&lt;', 'SSML': '<break time="10s"/>',
  'zalgo': 'z\u0351\u0352\u0357\u035b', 'marks alone': '\u0301', 'Thai marks': 'ก\u0e48', 'zero widths': '\u200b', 'zero widths between letters': 'a\u200b', 'directions': '\u202ea\u202c', 'lone surrogates': '\ud83d', 'private characters': '\ue000',
  'one emoji': '😂', 'emoji wall': '😂🔥👍🎉', 'families': '👨‍👩‍👧‍👦', 'joiners': '\u200d', 'joined emoji': '👩\u200d', 'flags': '🇯🇵', 'half flags': '🇯 ', 'keycaps': '1️⃣', 'skin tones': '👋🏽', 'selectors': '\ufe0f', 'emoji tags': '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'styled letters': '𝓗𝓮𝓵𝓵𝓸', 'full-width letters': 'Ｈｅｌｌｏ', 'half-width kana': 'ｶﾞﾊﾟ', 'small capitals': 'ʜᴇʟʟᴏ ', 'raised letters': 'ᵗʰᶦˢ', 'regional letters': '🇭🇪🇱🇱🇴',
  'Arabic': 'مرحبا ', 'Arabic without spaces': 'مرحبا', 'Thai without spaces': 'สวัสดีครับ', 'Chinese without spaces': '今天天气很好我们去公园吧', 'Japanese without spaces': '今日はとても良い天気ですね', 'Korean without spaces': '안녕하세요반갑습니다',
  'Latin without spaces': 'thequickbrownfoxjumpsoverthelazydog', 'Indic conjuncts': 'क्', 'decomposed hangul': '\u1112\u1161\u11ab', 'laughs': 'あw', 'haha': 'ha', 'one word': 'spam ', 'words in pairs': 'spam ham ', 'titles': 'Mr. ', 'initials': 'A. ', 'quoted speech': '「あ」と',
  'numbers': '3.14159, ', 'binary digits': '01', 'mixed scripts': 'aあ한ก今ا', 'commas': 'a,', 'sentences': 'Go. ', 'CRLF': 'a\r\n'
}

/** Nests and ladders that no repetition makes. */
const shaped: Readonly<Record<string, string>> = {
  'emphasis that opens and then closes': '*a'.repeat(500) + 'a*'.repeat(500),
  'brackets that open and then close': '['.repeat(980) + ']'.repeat(980) + '(https://a.b/c)',
  'code runs of growing length': Array.from({ length: 62 }, (_, index) => '`'.repeat(index + 1)).join('a'),
  'stars of growing length': Array.from({ length: 62 }, (_, index) => '*'.repeat(index + 1)).join('a'),
  'a fence after backticks': `${'`'.repeat(1000)}a${'```'.repeat(300)}`,
  'one masked link of 2,000 characters': `[${'a'.repeat(980)}](https://a.b/${'c'.repeat(980)})`,
  'a link of 2,000 characters': `https://a.b/${'c'.repeat(1985)}`,
  'a link and brackets to its end': `https://a.b/${'('.repeat(900)}${')'.repeat(1080)}`,
  'a word and its beginning again': `${'a'.repeat(999)} ${'a'.repeat(999)}`,
  'words, each a little longer': Array.from({ length: 62 }, (_, index) => 'a'.repeat(index + 1)).join(' ')
}

/** Texts that are written to hurt whoever reads them, each of about 2,000 characters. */
export const nasty: readonly { name: string; content: string }[] = [
  ...Object.entries(repeated).map(([name, unit]) => ({ name, content: unit.repeat(Math.ceil(LENGTH / unit.length)).slice(0, LENGTH) })),
  ...Object.entries(shaped).map(([name, content]) => ({ name, content: content.slice(0, LENGTH) }))
]

/** Of what random messages are put together: `pick` gives a number below the one given. */
export function jumbled(pick: (below: number) => number): string {
  const units = [...Object.values(repeated), 'word', ' ', 'これ', '네']
  let content = ''
  while (content.length < LENGTH) content += (units[pick(units.length)] ?? '').repeat(1 + pick(4))
  return content.slice(0, LENGTH)
}
