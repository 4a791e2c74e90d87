import type { Language, Sentences } from '../language.ts'

const en = {
  'queue.none': () => 'Nothing waits to be said here.',
  'queue.title': (a: { channel: string; seconds: string }) => `Being said in ${a.channel}: about ${a.seconds} s in all`,
  'queue.playing': (a: { name: string; text: string; seconds: string }) => `🔊 **${a.name}**: ${a.text} · ${a.seconds} s left`,
  'queue.row': (a: { place: number; name: string; text: string; seconds: string }) => `${a.place}. **${a.name}**: ${a.text} · in ${a.seconds} s`,
  'queue.more': (a: { count: number }) => `… and ${a.count} more.`,
  'queue.yoursNow': () => '👉 Yours is being said now.',
  'queue.yours': (a: { place: number; seconds: string }) => `👉 Your next one: number ${a.place}, in about ${a.seconds} s.`,
  'queue.yoursNone': () => 'Nothing of yours waits.'
} as const satisfies Sentences

const ja: Language<typeof en> = {
  'queue.none': () => 'ここで順番を待っているものはありません。',
  'queue.title': ({ channel, seconds }) => `${channel} の読み上げ: 全部で約 ${seconds} 秒`,
  'queue.playing': ({ name, text, seconds }) => `🔊 **${name}**: ${text} · あと ${seconds} 秒`,
  'queue.row': ({ place, name, text, seconds }) => `${place}. **${name}**: ${text} · ${seconds} 秒後`,
  'queue.more': ({ count }) => `… ほか ${count} 件`,
  'queue.yoursNow': () => '👉 いまあなたの番です。',
  'queue.yours': ({ place, seconds }) => `👉 あなたの次の順番は ${place} 番目、約 ${seconds} 秒後です。`,
  'queue.yoursNone': () => 'あなたのものは待っていません。'
}

const ko: Language<typeof en> = {
  'queue.none': () => '여기에서 차례를 기다리는 것이 없어요.',
  'queue.title': ({ channel, seconds }) => `${channel}에서 말하는 중: 모두 약 ${seconds}초`,
  'queue.playing': ({ name, text, seconds }) => `🔊 **${name}**: ${text} · ${seconds}초 남음`,
  'queue.row': ({ place, name, text, seconds }) => `${place}. **${name}**: ${text} · ${seconds}초 뒤`,
  'queue.more': ({ count }) => `… 그 밖에 ${count}건`,
  'queue.yoursNow': () => '👉 지금 내 차례예요.',
  'queue.yours': ({ place, seconds }) => `👉 내 다음 차례: ${place}번째, 약 ${seconds}초 뒤예요.`,
  'queue.yoursNone': () => '기다리는 내 것은 없어요.'
}

export const queue = { en, ja, ko }
