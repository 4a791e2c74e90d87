import type { Language, Sentences } from '../language.ts'

const en = {
  'join.done': (a: { channel: string }) => `👋 I am in ${a.channel}. Use \`/say\` and I speak.`,
  'leave.done': (a: { channel: string }) => `👋 Left ${a.channel}.`,
  'voice.notHere': () => 'I am not in a voice channel here. `/join` brings me to yours.',
  'skip.done': () => '⏭️ Skipped.',
  'skip.notYours': () => 'That is somebody else’s. Its author, and members who manage messages or this bot, can skip it.',
  'skip.nothing': () => 'Nothing is being said right now.',
  'stop.done': (a: { count: number }) => (a.count === 1 ? '⏹️ Stopped.' : `⏹️ Stopped, and ${a.count - 1} more taken from the queue.`)
} as const satisfies Sentences

const ja: Language<typeof en> = {
  'join.done': ({ channel }) => `👋 ${channel} に入りました。\`/say\` で読み上げます。`,
  'leave.done': ({ channel }) => `👋 ${channel} から出ました。`,
  'voice.notHere': () => 'いまはボイスチャンネルに入っていません。`/join` で呼んでください。',
  'skip.done': () => '⏭️ 飛ばしました。',
  'skip.notYours': () => 'それはほかの人のものです。飛ばせるのは本人か、メッセージかこのボットを管理できる人だけです。',
  'skip.nothing': () => 'いま読み上げているものはありません。',
  'stop.done': ({ count }) => (count === 1 ? '⏹️ 止めました。' : `⏹️ 止めて、待っていた ${count - 1} 件も取り消しました。`)
}

const ko: Language<typeof en> = {
  'join.done': ({ channel }) => `👋 ${channel}에 들어왔어요. \`/say\`로 말할게요.`,
  'leave.done': ({ channel }) => `👋 ${channel}에서 나왔어요.`,
  'voice.notHere': () => '지금 음성 채널에 있지 않아요. `/join`으로 불러 주세요.',
  'skip.done': () => '⏭️ 건너뛰었어요.',
  'skip.notYours': () => '다른 사람의 것이에요. 본인이나, 메시지 또는 이 봇을 관리하는 사람만 건너뛸 수 있어요.',
  'skip.nothing': () => '지금 말하고 있는 것이 없어요.',
  'stop.done': ({ count }) => (count === 1 ? '⏹️ 멈췄어요.' : `⏹️ 멈추고, 기다리던 ${count - 1}건도 취소했어요.`)
}

export const session = { en, ja, ko }
