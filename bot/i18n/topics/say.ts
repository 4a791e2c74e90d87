import type { Language, Sentences } from '../language.ts'

const en = {
  'say.speaking': (a: { channel: string; ahead: number }) =>
    a.ahead === 0 ? `🔊 Speaking in ${a.channel}.` : `⏳ In the queue for ${a.channel}, behind ${a.ahead === 1 ? 'one other' : `${a.ahead} others`}.`,
  'say.heard': (a: { channel: string; seconds: string }) => `✅ Said in ${a.channel} (${a.seconds} s).`,
  'say.skipped': () => '⏹️ Stopped before its end.',
  'say.partly': (a: { seconds: string; why: string }) => `✂️ Only the first ${a.seconds} s were said. ${a.why}`,
  'say.file': (a: { seconds: string }) => `🎧 ${a.seconds} s`
} as const satisfies Sentences

const ja: Language<typeof en> = {
  'say.speaking': ({ channel, ahead }) => (ahead === 0 ? `🔊 ${channel} で読み上げています。` : `⏳ ${channel} の順番待ちです（前に ${ahead} 件）。`),
  'say.heard': ({ channel, seconds }) => `✅ ${channel} で読み上げました（${seconds} 秒）。`,
  'say.skipped': () => '⏹️ 途中で止められました。',
  'say.partly': ({ seconds, why }) => `✂️ はじめの ${seconds} 秒だけ読み上げました。${why}`,
  'say.file': ({ seconds }) => `🎧 ${seconds} 秒`
}

const ko: Language<typeof en> = {
  'say.speaking': ({ channel, ahead }) => (ahead === 0 ? `🔊 ${channel}에서 말하고 있어요.` : `⏳ ${channel} 대기 중이에요 (앞에 ${ahead}건).`),
  'say.heard': ({ channel, seconds }) => `✅ ${channel}에서 말했어요 (${seconds}초).`,
  'say.skipped': () => '⏹️ 도중에 멈췄어요.',
  'say.partly': ({ seconds, why }) => `✂️ 처음 ${seconds}초만 말했어요. ${why}`,
  'say.file': ({ seconds }) => `🎧 ${seconds}초`
}

export const say = { en, ja, ko }
