import type { Language, Sentences } from '../language.ts'

const en = {
  'refused.empty': () => 'There is nothing in that text that can be spoken. Write some words or numbers.',
  'refused.tooLong': (a: { max: number }) => `That is too long: at most ${a.max} characters can be said at once. Split it in two.`,
  'refused.queueFull': () => 'The queue here is full, so this one was not taken: 50 may wait. Say it again when some of them have been said.',
  'refused.restarting': () => 'I am restarting. Try again in a moment.',
  'refused.notInVoice': () => 'You are not in a voice channel. Join one, or use `deliver: file`.',
  'refused.connect': (a: { channel: string }) => `I may not enter ${a.channel}. Somebody who manages this server can give me the “Connect” permission there.`,
  'refused.speak': (a: { channel: string }) => `I may not speak in ${a.channel}. Somebody who manages this server can give me the “Speak” permission there.`,
  'refused.full': (a: { channel: string }) => `${a.channel} is full.`,
  'refused.muted': (a: { channel: string }) => `I am muted in ${a.channel}. A moderator can unmute me.`,
  'refused.stage': (a: { channel: string }) => `I may not speak on the stage ${a.channel}. Somebody who manages this server can give me “Request to Speak” there, or “Mute Members” to step up by myself.`,
  'refused.elsewhere': (a: { channel: string }) => `I am speaking in ${a.channel} right now. Join us there, or use \`deliver: file\`.`,
  'refused.notHere': (a: { channel: string }) => `Only who is in ${a.channel}, or manages messages or this bot, may do that.`,
  'refused.notAdmin': () => 'Only the admins of this bot may do that.',
  'refused.notManager': () => 'Only who has the “Manage Server” permission, or the manager role that `/settings` names, may do that.',
  'refused.guildOnly': () => 'This works only in a server.'
} as const satisfies Sentences

const ja: Language<typeof en> = {
  'refused.empty': () => 'その文章には読み上げられるものがありません。言葉か数字を入れてください。',
  'refused.tooLong': ({ max }) => `長すぎます。一度に読めるのは ${max} 文字までです。分けて送ってください。`,
  'refused.queueFull': () => 'ここの順番待ちは 50 件でいっぱいなので、受け付けませんでした。少し待ってからもう一度どうぞ。',
  'refused.restarting': () => '再起動中です。少ししてからもう一度どうぞ。',
  'refused.notInVoice': () => 'ボイスチャンネルに入っていません。入ってから使うか、`deliver: file` を指定してください。',
  'refused.connect': ({ channel }) => `${channel} に入る権限がありません。サーバーの管理者に「接続」の権限を頼んでください。`,
  'refused.speak': ({ channel }) => `${channel} で話す権限がありません。サーバーの管理者に「発言」の権限を頼んでください。`,
  'refused.full': ({ channel }) => `${channel} は満員です。`,
  'refused.muted': ({ channel }) => `${channel} ではミュートされています。モデレーターに解除を頼んでください。`,
  'refused.stage': ({ channel }) => `ステージ ${channel} で話す権限がありません。サーバーの管理者に「スピーカー参加をリクエスト」（自分で登壇するなら「メンバーをミュート」）の権限を頼んでください。`,
  'refused.elsewhere': ({ channel }) => `いまは ${channel} で読み上げています。そちらに来るか、\`deliver: file\` を指定してください。`,
  'refused.notHere': ({ channel }) => `それができるのは ${channel} にいる人か、メッセージかこのボットを管理できる人だけです。`,
  'refused.notAdmin': () => 'これはこのボットの管理者だけが使えます。',
  'refused.notManager': () => 'それができるのは「サーバー管理」の権限か、`/settings` で決めたマネージャーロールを持つ人だけです。',
  'refused.guildOnly': () => 'これはサーバーの中だけで使えます。'
}

const ko: Language<typeof en> = {
  'refused.empty': () => '그 글에는 소리 내어 읽을 것이 없어요. 낱말이나 숫자를 적어 주세요.',
  'refused.tooLong': ({ max }) => `너무 길어요. 한 번에 ${max}자까지 말할 수 있어요. 나누어 보내 주세요.`,
  'refused.queueFull': () => '여기 대기열이 50건으로 가득 차서 받지 않았어요. 조금 뒤에 다시 해 주세요.',
  'refused.restarting': () => '다시 시작하는 중이에요. 잠시 뒤에 다시 해 주세요.',
  'refused.notInVoice': () => '음성 채널에 있지 않아요. 들어가거나 `deliver: file`을 쓰세요.',
  'refused.connect': ({ channel }) => `${channel}에 들어갈 수 없어요. 서버 관리자에게 “연결하기” 권한을 부탁해 주세요.`,
  'refused.speak': ({ channel }) => `${channel}에서 말할 수 없어요. 서버 관리자에게 “말하기” 권한을 부탁해 주세요.`,
  'refused.full': ({ channel }) => `${channel}이(가) 가득 찼어요.`,
  'refused.muted': ({ channel }) => `${channel}에서 음소거되어 있어요. 운영자에게 해제를 부탁해 주세요.`,
  'refused.stage': ({ channel }) => `스테이지 ${channel}에서 말할 수 없어요. 서버 관리자에게 “발언권 요청”(스스로 올라가려면 “멤버 음소거”) 권한을 부탁해 주세요.`,
  'refused.elsewhere': ({ channel }) => `지금 ${channel}에서 말하고 있어요. 그리로 오거나 \`deliver: file\`을 쓰세요.`,
  'refused.notHere': ({ channel }) => `${channel}에 있는 사람이나, 메시지 또는 이 봇을 관리하는 사람만 할 수 있어요.`,
  'refused.notAdmin': () => '이 봇의 관리자만 할 수 있어요.',
  'refused.notManager': () => '“서버 관리하기” 권한이나 `/settings`에서 정한 매니저 역할이 있는 사람만 할 수 있어요.',
  'refused.guildOnly': () => '서버 안에서만 쓸 수 있어요.'
}

export const refused = { en, ja, ko }
