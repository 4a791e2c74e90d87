import type { Language, Sentences } from '../language.ts'

const en = {
  'over.kicked': (a: { channel: string }) => `👋 Somebody disconnected me from ${a.channel}. \`/join\` brings me back.`,
  'over.channelDeleted': () => '👋 The voice channel that I was in is gone. `/join` brings me to another one.',
  'over.channelFull': (a: { channel: string }) => `🚪 I lost my place in ${a.channel}, and it is full now. \`/join\` brings me back when there is room.`,
  'over.noPermission': (a: { channel: string }) => `🔒 I may not be in ${a.channel} any more: I need the “View Channel” and “Connect” permissions there.`,
  'over.removed': () => '👋 I was removed from this server.',
  'over.callEnded': (a: { channel: string }) => `📴 Discord ended the call in ${a.channel}. \`/join\` brings me back.`,
  'over.rateLimited': (a: { channel: string }) => `⏳ Discord says that I connected to ${a.channel} too often. Try \`/join\` in a few minutes.`,
  'over.encryption': (a: { channel: string }) => `🔐 The call in ${a.channel} needs encryption that I could not set up. An admin of this bot should update it.`,
  'over.unreachable': (a: { channel: string }) => `📡 I could not hold the connection to ${a.channel}, so I left it. Try \`/join\` again in a moment.`,
  'dropped.old': () => '⌛ That waited so long that it was not worth saying any more, so I left it out.'
} as const satisfies Sentences

const ja: Language<typeof en> = {
  'over.kicked': ({ channel }) => `👋 ${channel} から切断されました。また使うときは \`/join\` で呼んでください。`,
  'over.channelDeleted': () => '👋 入っていたボイスチャンネルがなくなりました。`/join` でほかのチャンネルに呼んでください。',
  'over.channelFull': ({ channel }) => `🚪 ${channel} から出てしまい、いまは満員です。空いたら \`/join\` で呼んでください。`,
  'over.noPermission': ({ channel }) => `🔒 ${channel} にいられなくなりました。「チャンネルを見る」と「接続」の権限が必要です。`,
  'over.removed': () => '👋 このサーバーから外されました。',
  'over.callEnded': ({ channel }) => `📴 Discord が ${channel} の通話を終了しました。\`/join\` で呼び直してください。`,
  'over.rateLimited': ({ channel }) => `⏳ ${channel} への接続が多すぎると Discord に断られました。数分後に \`/join\` をお試しください。`,
  'over.encryption': ({ channel }) => `🔐 ${channel} の通話に必要な暗号化を用意できませんでした。ボットの管理者に更新を頼んでください。`,
  'over.unreachable': ({ channel }) => `📡 ${channel} との接続を保てなかったので、退出しました。少ししてから \`/join\` をお試しください。`,
  'dropped.old': () => '⌛ 順番を待つあいだに古くなったので、読み上げませんでした。'
}

const ko: Language<typeof en> = {
  'over.kicked': ({ channel }) => `👋 ${channel}에서 연결이 끊겼어요. 다시 쓰려면 \`/join\`으로 불러 주세요.`,
  'over.channelDeleted': () => '👋 들어가 있던 음성 채널이 없어졌어요. `/join`으로 다른 채널에 불러 주세요.',
  'over.channelFull': ({ channel }) => `🚪 ${channel}에서 자리를 잃었는데 지금은 가득 찼어요. 자리가 나면 \`/join\`으로 불러 주세요.`,
  'over.noPermission': ({ channel }) => `🔒 ${channel}에 더 있을 수 없어요. “채널 보기”와 “연결하기” 권한이 필요해요.`,
  'over.removed': () => '👋 이 서버에서 내보내졌어요.',
  'over.callEnded': ({ channel }) => `📴 Discord가 ${channel}의 통화를 끝냈어요. \`/join\`으로 다시 불러 주세요.`,
  'over.rateLimited': ({ channel }) => `⏳ ${channel}에 너무 자주 연결해서 Discord가 막았어요. 몇 분 뒤에 \`/join\`을 해 보세요.`,
  'over.encryption': ({ channel }) => `🔐 ${channel}의 통화에 필요한 암호화를 준비하지 못했어요. 봇 관리자에게 업데이트를 부탁해 주세요.`,
  'over.unreachable': ({ channel }) => `📡 ${channel} 연결을 유지하지 못해서 나왔어요. 잠시 뒤에 \`/join\`을 다시 해 보세요.`,
  'dropped.old': () => '⌛ 차례를 기다리는 동안 오래되어서 말하지 않았어요.'
}

export const over = { en, ja, ko }
