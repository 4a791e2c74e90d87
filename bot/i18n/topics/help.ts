import type { Language, Sentences } from '../language.ts'

const en = {
  'help.intro': (a: { say: string }) => `I speak in voice channels what members write. Join a voice channel and use ${a.say}; without one you get a recording.`,
  'help.menu': (a: { list: string }) => `On a message, under ⋯ → Apps: ${a.list}`,
  'help.more': (a: { count: number }) => `… and ${a.count} more commands; type / to see them.`
} as const satisfies Sentences

const ja: Language<typeof en> = {
  'help.intro': ({ say }) => `書いたものをボイスチャンネルで読み上げます。ボイスチャンネルに入って ${say} をどうぞ。入っていなければ録音を送ります。`,
  'help.menu': ({ list }) => `メッセージの ⋯ → アプリ: ${list}`,
  'help.more': ({ count }) => `… ほか ${count} 個のコマンドは / を入力すると出ます。`
}

const ko: Language<typeof en> = {
  'help.intro': ({ say }) => `적은 글을 음성 채널에서 말해요. 음성 채널에 들어가 ${say}을(를) 써 보세요. 들어가 있지 않으면 녹음을 보내요.`,
  'help.menu': ({ list }) => `메시지의 ⋯ → 앱: ${list}`,
  'help.more': ({ count }) => `… 그 밖에 명령어 ${count}개는 /를 입력하면 볼 수 있어요.`
}

export const help = { en, ja, ko }
