import type { Language, Sentences } from '../language.ts'

const en = {
  // Told in a channel.
  'read.flood': (a: { name: string }) => `⏳ ${a.name}, that was a lot at once: I leave some of it out.`,
  'read.queueFull': () => '⏳ The queue here is full. I leave messages out until some of it has been said.',
  'read.old': (a: { seconds: string }) => `⌛ Some messages waited for more than ${a.seconds} s, so I left them out.`,
  'read.failed': (a: { why: string }) => `⚠️ I could not read a message here. ${a.why}`,
  'read.roleGone': () => '⚠️ The role whose members I read was deleted, so I read nobody now. `/settings` takes another role, or everybody.',
  'read.idle': (a: { channel: string }) => `👋 Nothing was said for long, so I left ${a.channel}. \`/join\` brings me back.`,
  // Spoken.
  'read.came': (a: { name: string }) => `${a.name} joined.`,
  'read.left': (a: { name: string }) => `${a.name} left.`,
  // Answers to the command.
  'read.here': (a: { text: string; channel: string }) => `📖 From now on I read ${a.text} aloud in ${a.channel}.`,
  'read.soon': () => 'I come as soon as somebody enters.',
  'read.busy': (a: { channel: string }) => `I am speaking in ${a.channel} right now, and come when nobody listens there any more.`,
  'read.noIntent': () =>
    '🔒 I can’t see what people write. Whoever runs this bot can switch it on: [Discord Developer Portal](https://discord.com/developers/applications), this application, “Bot”, “Message Content Intent”; then start the bot again. All else works without it.',
  'read.view': (a: { text: string }) => `🔒 I can’t read ${a.text}. Somebody who manages this server can give me the “View Channel” and “Read Message History” permissions there.`,
  'read.unseen': () =>
    '🔒 I can’t see this channel. If it is a private thread, mention me in it, so that I am one of its members; else somebody who manages this server can give me the “View Channel” permission here.',
  'read.chat': (a: { text: string }) => `🔒 I can’t read the chat of ${a.text}. Somebody who manages this server can give me the “Connect” permission there.`,
  'read.thread': (a: { text: string }) => `🔒 ${a.text} is a private thread. Mention me in it, so that I am one of its members.`,
  'read.where': () => 'Where shall I read it? Join a voice channel, or name one.',
  'read.tooMany': (a: { max: number }) => `At most ${a.max} channels can be read in one server. \`/read list\` shows them, \`/read stop\` ends one.`,
  'read.notYours': (a: { channel: string }) => `Only who is in ${a.channel}, or manages this bot here, may do that.`,
  'read.stopped': (a: { text: string }) => `📕 I don’t read ${a.text} any more.`,
  'read.notRead': (a: { text: string }) => `${a.text} is not being read.`,
  'read.none': () => 'No channel is being read here. `/read here` in a text channel starts it.',
  'read.line': (a: { text: string; channel: string }) => `📖 ${a.text} → ${a.channel}`,
  'read.muted': (a: { list: string }) => `🔇 Muted by managers: ${a.list}`,
  'read.muteSelf': () => '🔇 I don’t read you any more. `/read unmute` changes that.',
  'read.unmuteSelf': () => '🔊 I read you again.',
  'read.muteOther': (a: { name: string }) => `🔇 I don’t read ${a.name} any more.`,
  'read.unmuteOther': (a: { name: string }) => `🔊 I read ${a.name} again, unless they muted themselves.`,
  'read.stillMuted': () => '🔇 Somebody who manages this bot here has muted you. They can change that.'
} as const satisfies Sentences

const ja: Language<typeof en> = {
  'read.flood': ({ name }) => `⏳ ${name} さん、一度にたくさん届いたので、一部は読みません。`,
  'read.queueFull': () => '⏳ 順番待ちがいっぱいです。空くまで、届いたメッセージは読みません。',
  'read.old': ({ seconds }) => `⌛ ${seconds} 秒以上待ったメッセージは、読まずに飛ばしました。`,
  'read.failed': ({ why }) => `⚠️ 読めなかったメッセージがあります。${why}`,
  'read.roleGone': () => '⚠️ 読み上げ対象のロールが削除されたので、いまはだれのメッセージも読みません。`/settings` で別のロールか全員を選んでください。',
  'read.idle': ({ channel }) => `👋 しばらく読み上げがなかったので、${channel} から出ました。\`/join\` でまた呼んでください。`,
  'read.came': ({ name }) => `${name}さんが入りました。`,
  'read.left': ({ name }) => `${name}さんが出ました。`,
  'read.here': ({ text, channel }) => `📖 これから ${text} を ${channel} で読み上げます。`,
  'read.soon': () => '誰かが入ったら、すぐに行きます。',
  'read.busy': ({ channel }) => `いまは ${channel} で読み上げています。そこに聞く人がいなくなったら行きます。`,
  'read.noIntent': () =>
    '🔒 メッセージの内容を見る設定がオフになっています。ボットを動かしている人は、[Discord Developer Portal](https://discord.com/developers/applications) のこのアプリケーションの「Bot」で「Message Content Intent」をオンにして、ボットを再起動してください。ほかの機能はそのまま使えます。',
  'read.view': ({ text }) => `🔒 ${text} を見る権限がありません。サーバーの管理者に「チャンネルを見る」と「メッセージ履歴を読む」の権限を頼んでください。`,
  'read.unseen': () =>
    '🔒 このチャンネルが見えません。プライベートスレッドなら、中でボットにメンションしてメンバーに加えてください。そうでなければ、サーバーの管理者に「チャンネルを見る」の権限を頼んでください。',
  'read.chat': ({ text }) => `🔒 ${text} のチャットを見る権限がありません。サーバーの管理者に「接続」の権限を頼んでください。`,
  'read.thread': ({ text }) => `🔒 ${text} はプライベートスレッドです。中でボットにメンションして、メンバーに加えてください。`,
  'read.where': () => 'どこで読み上げますか。ボイスチャンネルに入るか、指定してください。',
  'read.tooMany': ({ max }) => `1 つのサーバーで読めるのは ${max} チャンネルまでです。\`/read list\` で一覧、\`/read stop\` で終了できます。`,
  'read.notYours': ({ channel }) => `それができるのは ${channel} にいる人か、ここでこのボットを管理する人だけです。`,
  'read.stopped': ({ text }) => `📕 ${text} の読み上げを終了しました。`,
  'read.notRead': ({ text }) => `${text} は読み上げていません。`,
  'read.none': () => '読み上げているチャンネルはありません。テキストチャンネルで `/read here` を使うと始まります。',
  'read.line': ({ text, channel }) => `📖 ${text} → ${channel}`,
  'read.muted': ({ list }) => `🔇 管理者がミュートした人：${list}`,
  'read.muteSelf': () => '🔇 あなたのメッセージは読まないようにしました。`/read unmute` で戻せます。',
  'read.unmuteSelf': () => '🔊 あなたのメッセージをまた読みます。',
  'read.muteOther': ({ name }) => `🔇 ${name} さんのメッセージは読まないようにしました。`,
  'read.unmuteOther': ({ name }) => `🔊 ${name} さんのメッセージをまた読みます（本人がミュートしている場合を除きます）。`,
  'read.stillMuted': () => '🔇 ここでこのボットを管理する人がミュートしています。解除はその人に頼んでください。'
}

const ko: Language<typeof en> = {
  'read.flood': ({ name }) => `⏳ ${name} 님, 한 번에 너무 많아서 일부는 읽지 않을게요.`,
  'read.queueFull': () => '⏳ 대기열이 가득 찼어요. 자리가 날 때까지 새 메시지는 읽지 않을게요.',
  'read.old': ({ seconds }) => `⌛ ${seconds}초 넘게 기다린 메시지는 읽지 않고 넘어갔어요.`,
  'read.failed': ({ why }) => `⚠️ 읽지 못한 메시지가 있어요. ${why}`,
  'read.roleGone': () => '⚠️ 읽을 사람의 역할이 삭제되어서 지금은 아무도 읽지 않아요. `/settings`에서 다른 역할이나 모두를 골라 주세요.',
  'read.idle': ({ channel }) => `👋 한동안 말할 것이 없어서 ${channel}에서 나왔어요. \`/join\`으로 다시 불러 주세요.`,
  'read.came': ({ name }) => `${name} 님이 들어왔어요.`,
  'read.left': ({ name }) => `${name} 님이 나갔어요.`,
  'read.here': ({ text, channel }) => `📖 이제부터 ${text}의 메시지를 ${channel}에서 읽을게요.`,
  'read.soon': () => '누군가 들어오면 바로 갈게요.',
  'read.busy': ({ channel }) => `지금 ${channel}에서 말하고 있어요. 거기서 듣는 사람이 없어지면 갈게요.`,
  'read.noIntent': () =>
    '🔒 메시지 내용을 볼 수 없어요. 이 봇을 운영하는 사람이 [Discord Developer Portal](https://discord.com/developers/applications)에서 이 애플리케이션의 “Bot” 메뉴에 있는 “Message Content Intent”를 켜고 봇을 다시 시작해 주세요. 다른 기능은 그대로 쓸 수 있어요.',
  'read.view': ({ text }) => `🔒 ${text}을(를) 볼 수 없어요. 서버 관리자에게 “채널 보기”와 “메시지 기록 보기” 권한을 부탁해 주세요.`,
  'read.unseen': () =>
    '🔒 이 채널이 보이지 않아요. 비공개 스레드라면 그 안에서 저를 멘션해 멤버로 추가해 주세요. 아니라면 서버 관리자에게 “채널 보기” 권한을 부탁해 주세요.',
  'read.chat': ({ text }) => `🔒 ${text}의 채팅을 볼 수 없어요. 서버 관리자에게 “연결하기” 권한을 부탁해 주세요.`,
  'read.thread': ({ text }) => `🔒 ${text}은(는) 비공개 스레드예요. 그 안에서 저를 멘션해 멤버로 추가해 주세요.`,
  'read.where': () => '어디에서 읽을까요? 음성 채널에 들어가거나 채널을 골라 주세요.',
  'read.tooMany': ({ max }) => `한 서버에서 채널을 ${max}개까지 읽을 수 있어요. \`/read list\`로 보고 \`/read stop\`으로 끝낼 수 있어요.`,
  'read.notYours': ({ channel }) => `${channel}에 있는 사람이나 여기서 이 봇을 관리하는 사람만 할 수 있어요.`,
  'read.stopped': ({ text }) => `📕 이제 ${text}의 메시지를 읽지 않아요.`,
  'read.notRead': ({ text }) => `${text}은(는) 읽고 있지 않아요.`,
  'read.none': () => '읽고 있는 채널이 없어요. 텍스트 채널에서 `/read here`로 시작할 수 있어요.',
  'read.line': ({ text, channel }) => `📖 ${text} → ${channel}`,
  'read.muted': ({ list }) => `🔇 관리자가 음소거한 사람: ${list}`,
  'read.muteSelf': () => '🔇 이제 메시지를 읽지 않을게요. `/read unmute`로 되돌릴 수 있어요.',
  'read.unmuteSelf': () => '🔊 다시 메시지를 읽을게요.',
  'read.muteOther': ({ name }) => `🔇 이제 ${name} 님의 메시지를 읽지 않을게요.`,
  'read.unmuteOther': ({ name }) => `🔊 다시 ${name} 님의 메시지를 읽을게요(본인이 음소거했다면 빼고요).`,
  'read.stillMuted': () => '🔇 여기서 이 봇을 관리하는 사람이 음소거했어요. 그 사람에게 부탁해 주세요.'
}

export const read = { en, ja, ko }
