import type { Language, Sentences } from '../language.ts'

/** Why nobody hears the bot where it is, and what becomes of what it was to say. */
const en = {
  'silenced.muted': (a: { channel: string }) => `🔇 A moderator has muted me in ${a.channel}.`,
  'silenced.speak': (a: { channel: string }) => `🔇 I may not speak in ${a.channel}: I need the “Speak” permission there.`,
  'silenced.audience': (a: { channel: string }) => `🔇 I am in the audience of ${a.channel}. A moderator of the stage can invite me to speak.`,
  'silenced.asked': (a: { channel: string }) => `✋ I am in the audience of ${a.channel} and have asked to speak. A moderator of the stage can let me.`,
  'silenced.encryption': (a: { channel: string }) => `🔐 Nobody could hear that: the encryption of ${a.channel} was not set up in time. I connect anew; say it again in a moment.`,
  'silenced.waits': () => 'It waits for that.',
  'silenced.gaveUp': () => 'I waited, and then left it out.'
} as const satisfies Sentences

const ja: Language<typeof en> = {
  'silenced.muted': ({ channel }) => `🔇 ${channel} でモデレーターにミュートされています。`,
  'silenced.speak': ({ channel }) => `🔇 ${channel} で話せません。「発言」の権限が必要です。`,
  'silenced.audience': ({ channel }) => `🔇 ${channel} のオーディエンスにいます。ステージのモデレーターが招待すると話せます。`,
  'silenced.asked': ({ channel }) => `✋ ${channel} のオーディエンスにいて、発言をリクエストしました。ステージのモデレーターの許可が必要です。`,
  'silenced.encryption': ({ channel }) => `🔐 ${channel} の暗号化の準備が間に合わず、だれにも聞こえませんでした。つなぎ直すので、少ししてからもう一度どうぞ。`,
  'silenced.waits': () => '話せるようになるまで待ちます。',
  'silenced.gaveUp': () => 'しばらく待ちましたが、読み上げを取りやめました。'
}

const ko: Language<typeof en> = {
  'silenced.muted': ({ channel }) => `🔇 ${channel}에서 운영자가 저를 음소거했어요.`,
  'silenced.speak': ({ channel }) => `🔇 ${channel}에서 말할 수 없어요. “말하기” 권한이 필요해요.`,
  'silenced.audience': ({ channel }) => `🔇 ${channel}의 청중석에 있어요. 스테이지 운영자가 초대하면 말할 수 있어요.`,
  'silenced.asked': ({ channel }) => `✋ ${channel}의 청중석에서 발언을 요청했어요. 스테이지 운영자가 허락해 주면 말할 수 있어요.`,
  'silenced.encryption': ({ channel }) => `🔐 ${channel}의 암호화가 제때 준비되지 않아 아무도 듣지 못했어요. 다시 연결할 테니 잠시 뒤에 다시 해 주세요.`,
  'silenced.waits': () => '그때까지 기다릴게요.',
  'silenced.gaveUp': () => '기다렸지만 결국 말하지 않았어요.'
}

export const silenced = { en, ja, ko }
