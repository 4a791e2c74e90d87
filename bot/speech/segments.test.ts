import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FIRST_MAX, SEGMENT_MAX, spokenLength, splitText } from './segments.ts'

const graphemes = (text: string) => Array.from(new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text), ({ segment }) => segment)
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 600 }),
  fc.array(fc.constantFrom('Hello', 'こんにちは', '。', '. ', '! ', ' ', ', ', '안녕하세요', '👨‍👩‍👧', 'é', '\n', 'w'.repeat(70)), { maxLength: 200 }).map((parts) => parts.join(''))
)

describe('the pieces of a text', () => {
  it('are the text again when they are joined', () => {
    fc.assert(fc.property(text, (given) => splitText(given).join('') === given))
  })

  it('are never empty, and never longer than one request carries', () => {
    fc.assert(
      fc.property(text, (given) =>
        splitText(given).every((piece, index) => piece !== '' && spokenLength(piece) <= (index === 0 ? FIRST_MAX : SEGMENT_MAX))
      )
    )
  })

  it('never cut through a character, however many code points it has', () => {
    const family = '👨‍👩‍👧‍👦'
    expect(splitText(family.repeat(400)).every((piece) => graphemes(piece).every((each) => each === family))).toBe(true)
  })

  it('end where sentences end, the first one early', () => {
    expect(splitText('This is the first sentence of all. This is the second one, which is a little longer. And a third.')).toEqual([
      'This is the first sentence of all. ',
      'This is the second one, which is a little longer. And a third.'
    ])
    expect(splitText('今日はとても良い天気ですね。明日もきっと晴れるでしょう。だから散歩に行きましょう。')).toHaveLength(2)
  })

  it.each([
    ['end in Japanese behind the marks and the quotes that close', '明日もきっと晴れるでしょうね、みなさん。だから散歩に行きましょう！本当に楽しみですね？「はい。」そう思います。', ['明日もきっと晴れるでしょうね、みなさん。', 'だから散歩に行きましょう！本当に楽しみですね？「はい。」そう思います。']],
    ['leave quoted speech in its Japanese sentence', '「今日は本当にありがとうございました。」と言って帰りました。', ['「今日は本当にありがとうございました。」と言って帰りました。']],
    ['end in Korean at full stops', '오늘은 날씨가 정말로 아주 좋네요. 내일도 아주 맑을 것 같아요. 산책하러 가요.', ['오늘은 날씨가 정말로 아주 좋네요. ', '내일도 아주 맑을 것 같아요. 산책하러 가요.']],
    ['don’t end behind a title or an initial', 'Yesterday evening we met Dr. Smith and J. Doe. They said hello.', ['Yesterday evening we met Dr. Smith and J. Doe. ', 'They said hello.']],
    ['don’t end inside a number', 'The price of all these things is 3.50 today. It was 1,000.25 before that.', ['The price of all these things is 3.50 today. ', 'It was 1,000.25 before that.']],
    ['end with the line', 'This is a line of some length\nand another one, of some more length', ['This is a line of some length\n', 'and another one, of some more length']]
  ])('%s', (_, given, pieces) => {
    expect(splitText(given)).toEqual(pieces)
  })

  it('leave a short text whole', () => {
    expect(splitText('Hello.')).toEqual(['Hello.'])
    expect(splitText('')).toEqual([])
  })

  it('take 2,000 characters of anything in linear time', () => {
    const lengths = ['a'.repeat(2000), 'あ'.repeat(2000), '. '.repeat(1000), '👨‍👩‍👧'.repeat(250), 'a b '.repeat(500)].map((given) => splitText(given).join('').length)
    expect(lengths).toEqual([2000, 2000, 2000, 2000, 2000])
  })
})
