import type { Language, Sentences } from '../language.ts'

const en = {
  'keys.made': (a: { name: string; id: string; count: number; max: number }) => `🔑 A key for **${a.name}** (\`${a.id}\`): ${a.count} requests a minute, ${a.max} at once.`,
  'keys.secret': (a: { value: string }) => `||${a.value}||`,
  'keys.care': () => 'It is shown here once and never again. Whoever has it speaks through this bot: give it to one program, keep it out of chats and code, and `/keys revoke` it when in doubt.',
  'keys.tooMany': (a: { max: number }) => `There are ${a.max} keys already. Revoke one first.`,
  'keys.none': () => 'There are no API keys. Only programs on the bot’s own machine can speak; `/keys make` lets others in.',
  'keys.row': (a: { name: string; id: string; count: number; max: number }) => `🔑 **${a.name}** \`${a.id}\` · ${a.count} a minute, ${a.max} at once`,
  'keys.row.made': (a: { from: string; seen: string }) => `-# made ${a.from}, used ${a.seen}`,
  'keys.row.unused': (a: { from: string }) => `-# made ${a.from}, never used`,
  'keys.more': (a: { count: number }) => `… and ${a.count} more`,
  'keys.revoked': (a: { name: string; id: string }) => `🗑️ The key of **${a.name}** (\`${a.id}\`) opens nothing any more.`,
  'keys.unknown': (a: { id: string }) => `There is no key \`${a.id}\`. \`/keys list\` shows all.`
} as const satisfies Sentences

const ja: Language<typeof en> = {
  'keys.made': ({ name, id, count, max }) => `🔑 **${name}** のキー（\`${id}\`）を作りました。1 分に ${count} 件、同時に ${max} 件まで使えます。`,
  'keys.secret': ({ value }) => `||${value}||`,
  'keys.care': () => 'ここに一度だけ表示されます。これを持っている人は、このボットで話せます。1 つのプログラムにだけ渡し、チャットやコードには書かず、不安なときは `/keys revoke` で取り消してください。',
  'keys.tooMany': ({ max }) => `キーはもう ${max} 個あります。先にどれかを取り消してください。`,
  'keys.none': () => 'API キーはまだありません。今はボットと同じマシンのプログラムだけが使えます。`/keys make` で作れます。',
  'keys.row': ({ name, id, count, max }) => `🔑 **${name}** \`${id}\` · 1 分に ${count} 件、同時に ${max} 件`,
  'keys.row.made': ({ from, seen }) => `-# 作成 ${from}、最後の使用 ${seen}`,
  'keys.row.unused': ({ from }) => `-# 作成 ${from}、未使用`,
  'keys.more': ({ count }) => `… ほか ${count} 個`,
  'keys.revoked': ({ name, id }) => `🗑️ **${name}** のキー（\`${id}\`）はもう使えません。`,
  'keys.unknown': ({ id }) => `\`${id}\` というキーはありません。\`/keys list\` で確認できます。`
}

const ko: Language<typeof en> = {
  'keys.made': ({ name, id, count, max }) => `🔑 **${name}**의 키(\`${id}\`)를 만들었어요. 1분에 ${count}건, 동시에 ${max}건까지 쓸 수 있어요.`,
  'keys.secret': ({ value }) => `||${value}||`,
  'keys.care': () => '여기에 한 번만 보여요. 이 키를 가진 사람은 이 봇으로 말할 수 있어요. 프로그램 하나에만 주고, 채팅이나 코드에는 적지 말고, 걱정되면 `/keys revoke`로 취소하세요.',
  'keys.tooMany': ({ max }) => `키가 벌써 ${max}개 있어요. 먼저 하나를 취소해 주세요.`,
  'keys.none': () => 'API 키가 아직 없어요. 지금은 봇과 같은 컴퓨터의 프로그램만 쓸 수 있어요. `/keys make`로 만들 수 있어요.',
  'keys.row': ({ name, id, count, max }) => `🔑 **${name}** \`${id}\` · 1분에 ${count}건, 동시에 ${max}건`,
  'keys.row.made': ({ from, seen }) => `-# 만든 때 ${from}, 마지막 사용 ${seen}`,
  'keys.row.unused': ({ from }) => `-# 만든 때 ${from}, 아직 안 씀`,
  'keys.more': ({ count }) => `… 그 밖에 ${count}개`,
  'keys.revoked': ({ name, id }) => `🗑️ **${name}**의 키(\`${id}\`)는 이제 쓸 수 없어요.`,
  'keys.unknown': ({ id }) => `\`${id}\` 키는 없어요. \`/keys list\`로 확인해 주세요.`
}

export const keys = { en, ja, ko }
