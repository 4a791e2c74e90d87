import { describe, expect, it } from 'vitest'
import { languageOfText } from './language.ts'

describe('the language of a text', () => {
  it.each([
    ['こんにちは', 'ja'],
    ['Discordの音声', 'ja'],
    ['時々', 'ja'],
    ['草www', 'ja'],
    ['ラーメン is great', 'ja'],
    ['안녕하세요', 'ko'],
    ['디스코드 voice가 안 들려요', 'ko'],
    ['I think we should go now, it is getting late', 'en'],
    ['I love ラーメン very much, it is the best food that there is', 'en'],
    ['Bonjour tout le monde, comment allez-vous ce soir ?', 'fr'],
    ['Wie geht es dir heute, mein Freund?', 'de'],
    ['привет как дела', 'ru'],
    ['สวัสดีครับ', 'th'],
    ['今天天气很好我们去公园吧', 'zh'],
    // Too little to tell.
    ['lol', undefined],
    ['brb in 5 min', undefined],
    ['hahaha spam spam spam', undefined],
    ['最高', undefined],
    ['123 !?', undefined],
    ['', undefined]
  ])('of %j is %s', (text, language) => {
    expect(languageOfText(text, 'auto')).toBe(language)
  })

  it('is Japanese for characters alone where the server is', () => {
    expect(languageOfText('最高', 'ja')).toBe('ja')
    expect(languageOfText('lol', 'ja')).toBe(undefined)
  })
})
