import type { Language, Sentences } from '../language.ts'

const en = {
  'fault.TEXT_REFUSED': () => 'The voice can’t say that text. Try other words, or another voice.',
  'fault.VOICE_UNKNOWN': () => 'No node has that voice. Leave `voice` out, or pick one from the list.',
  'fault.TEXT_BREAKS_NODES': () => 'That text breaks the voices, so I stopped trying. Other words will do.',
  'fault.busy': () => 'All voices are busy. Try again in a moment.',
  'fault.RESTARTING': () => '🔄 I am restarting, and that was still waiting. Say it again in a moment.',
  'fault.NO_NODE': () => 'No voice is there right now. `/status` tells when one is back.',
  'fault.node': () => 'The voices did not answer. Try again in a moment.',
  'fault.registry': () => 'The registry did not answer, so nothing was changed. Try again in a moment.',
  'fault.VOICE_CONNECTION': () => 'I could not hold the connection to the voice channel. Try `/join` again.',
  'fault.UPLOAD_TOO_LARGE': () => 'The recording is larger than this server takes. Say less at once.',
  'fault.discord': () => 'Discord did not take that. Try again in a moment.',
  'fault.cancelled': () => '⏹️ Stopped.',
  'fault.NOT_KEPT': () => 'My disk did not take that, so nothing was kept. Tell an admin of this bot; everything else goes on.',
  'fault.bug': (a: { id: string }) => `Something went wrong on my side. If it happens again, tell an admin this number: \`${a.id}\`.`
} as const satisfies Sentences

const ja: Language<typeof en> = {
  'fault.TEXT_REFUSED': () => 'その文章はこの声では読めません。言葉を変えるか、別の声をお試しください。',
  'fault.VOICE_UNKNOWN': () => 'その声を使えるノードがありません。`voice` を外すか、一覧から選んでください。',
  'fault.TEXT_BREAKS_NODES': () => 'その文章で声が壊れてしまうので、止めました。言葉を変えてください。',
  'fault.busy': () => 'どの声も混み合っています。少ししてからもう一度どうぞ。',
  'fault.RESTARTING': () => '🔄 再起動のため、順番待ちだったこの読み上げは取り消されました。少ししてからもう一度どうぞ。',
  'fault.NO_NODE': () => 'いま使える声がありません。`/status` で確認できます。',
  'fault.node': () => '声が応答しませんでした。少ししてからもう一度どうぞ。',
  'fault.registry': () => 'レジストリが応答しないので、何も変わっていません。少ししてからもう一度どうぞ。',
  'fault.VOICE_CONNECTION': () => 'ボイスチャンネルにつながりませんでした。`/join` をもう一度お試しください。',
  'fault.UPLOAD_TOO_LARGE': () => 'ファイルがこのサーバーの上限を超えました。短くしてください。',
  'fault.discord': () => 'Discord に受け付けられませんでした。少ししてからもう一度どうぞ。',
  'fault.cancelled': () => '⏹️ 止められました。',
  'fault.NOT_KEPT': () => 'ボットのディスクに書き込めず、保存できませんでした。ボットの管理者に知らせてください。ほかの機能は使えます。',
  'fault.bug': ({ id }) => `こちらの不具合です。また起きたら、管理者にこの番号を伝えてください: \`${id}\``
}

const ko: Language<typeof en> = {
  'fault.TEXT_REFUSED': () => '이 목소리로는 그 글을 말할 수 없어요. 다른 말이나 다른 목소리로 해 보세요.',
  'fault.VOICE_UNKNOWN': () => '그 목소리를 가진 노드가 없어요. `voice`를 빼거나 목록에서 골라 주세요.',
  'fault.TEXT_BREAKS_NODES': () => '그 글 때문에 목소리가 고장 나서 멈췄어요. 다른 말로 해 주세요.',
  'fault.busy': () => '목소리가 모두 바빠요. 잠시 뒤에 다시 해 주세요.',
  'fault.RESTARTING': () => '🔄 다시 시작하느라 기다리던 말을 하지 못했어요. 잠시 뒤에 다시 말해 주세요.',
  'fault.NO_NODE': () => '지금 쓸 수 있는 목소리가 없어요. `/status`에서 확인할 수 있어요.',
  'fault.node': () => '목소리가 응답하지 않았어요. 잠시 뒤에 다시 해 주세요.',
  'fault.registry': () => '레지스트리가 응답하지 않아 아무것도 바뀌지 않았어요. 잠시 뒤에 다시 해 주세요.',
  'fault.VOICE_CONNECTION': () => '음성 채널에 연결하지 못했어요. `/join`을 다시 해 보세요.',
  'fault.UPLOAD_TOO_LARGE': () => '이 서버의 파일 한도를 넘었어요. 더 짧게 말해 주세요.',
  'fault.discord': () => 'Discord가 받아 주지 않았어요. 잠시 뒤에 다시 해 주세요.',
  'fault.cancelled': () => '⏹️ 멈췄어요.',
  'fault.NOT_KEPT': () => '봇의 디스크에 쓸 수 없어서 저장하지 못했어요. 봇 관리자에게 알려 주세요. 다른 기능은 그대로 쓸 수 있어요.',
  'fault.bug': ({ id }) => `제 쪽에서 문제가 생겼어요. 또 생기면 관리자에게 이 번호를 알려 주세요: \`${id}\``
}

export const fault = { en, ja, ko }
