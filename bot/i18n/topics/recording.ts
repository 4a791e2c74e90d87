import type { Language, Sentences } from '../language.ts'

const en = {
  'recording.progress': (a: { done: number; count: number }) => `🎙️ Making the recording: ${a.done} of ${a.count}.`,
  'recording.notAllowed': () => 'As a file: I may not send voice messages here. That needs the “Send Voice Messages” permission.',
  'recording.notTaken': () => 'As a file: Discord did not take it as a voice message.',
  'recording.smaller': () => 'With a lower bitrate, so that it fits what this server takes.',
  'recording.parts': (a: { count: number }) => `In ${a.count} files, since it is larger than one may be here.`,
  'recording.broken': (a: { done: number; count: number; why: string }) => `✂️ The recording ended after ${a.done} of ${a.count} parts, so it was not sent. ${a.why}`,
  'recording.notThere': (a: { channel: string }) => `I could not post this in ${a.channel} any more:`
} as const satisfies Sentences

const ja: Language<typeof en> = {
  'recording.progress': ({ done, count }) => `🎙️ 録音を作っています（${done} / ${count}）。`,
  'recording.notAllowed': () => 'ここではボイスメッセージを送れないので、ファイルにしました。「ボイスメッセージを送信」の権限が必要です。',
  'recording.notTaken': () => 'Discord がボイスメッセージとして受け付けなかったので、ファイルにしました。',
  'recording.smaller': () => 'このサーバーの上限に収まるように、ビットレートを下げました。',
  'recording.parts': ({ count }) => `1 つのファイルには大きすぎるので、${count} 個に分けました。`,
  'recording.broken': ({ done, count, why }) => `✂️ 録音は ${count} 個のうち ${done} 個で止まったので、送りませんでした。${why}`,
  'recording.notThere': ({ channel }) => `${channel} にはもう投稿できませんでした。`
}

const ko: Language<typeof en> = {
  'recording.progress': ({ done, count }) => `🎙️ 녹음을 만들고 있어요 (${done}/${count}).`,
  'recording.notAllowed': () => '여기서는 음성 메시지를 보낼 수 없어서 파일로 보내요. “음성 메시지 보내기” 권한이 필요해요.',
  'recording.notTaken': () => 'Discord가 음성 메시지로 받아 주지 않아서 파일로 보내요.',
  'recording.smaller': () => '이 서버의 한도에 맞게 비트레이트를 낮췄어요.',
  'recording.parts': ({ count }) => `파일 하나로는 너무 커서 ${count}개로 나눴어요.`,
  'recording.broken': ({ done, count, why }) => `✂️ 녹음이 ${count}개 중 ${done}개에서 멈춰서 보내지 않았어요. ${why}`,
  'recording.notThere': ({ channel }) => `${channel}에는 더 이상 올릴 수 없었어요.`
}

export const recording = { en, ja, ko }
