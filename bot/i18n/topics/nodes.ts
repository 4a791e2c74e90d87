import type { Language, Sentences } from '../language.ts'

const en = {
  'nodes.none': () => 'No node has registered yet. Start one with `npm run node`, or with the notebook.',
  'nodes.row': (a: { mark: string; name: string; id: string; state: string; load: string; seen: string }) =>
    `${a.mark} **${a.name}** \`${a.id}\` · ${a.state} · ${a.load} · seen ${a.seen}`,
  'nodes.fault': (a: { code: string; ago: string }) => ` · last fault \`${a.code}\` ${a.ago}`,
  'nodes.more': (a: { count: number }) => `… and ${a.count} more.`,
  'nodes.load': (a: { active: string; capacity: number }) => `${a.active}/${a.capacity} members`,
  'nodes.enabled': (a: { id: string }) => `🟢 \`${a.id}\` is enabled. New members may be given it from the next list on.`,
  'nodes.disabled': (a: { id: string }) => `⚪ \`${a.id}\` is disabled. Its members are given other nodes when they speak next.`,
  'nodes.unknown': (a: { id: string }) => `There is no node \`${a.id}\`. \`/nodes list\` shows all.`,
  'state.joining': () => 'joining',
  'state.ready': () => 'ready',
  'state.suspect': () => 'unsteady',
  'state.resting': () => 'not answering',
  'state.gone': () => 'no address',
  'state.disabled': () => 'disabled',
  'ago.seconds': (a: { count: number }) => `${a.count} s ago`,
  'ago.minutes': (a: { count: number }) => `${a.count} min ago`
} as const satisfies Sentences

const ja: Language<typeof en> = {
  'nodes.none': () => 'まだノードがありません。`npm run node` かノートブックで起動してください。',
  'nodes.row': ({ mark, name, id, state, load, seen }) => `${mark} **${name}** \`${id}\` · ${state} · ${load} · ${seen}に確認`,
  'nodes.fault': ({ code, ago }) => ` · 最後の不調 \`${code}\` ${ago}`,
  'nodes.more': ({ count }) => `… ほか ${count} 件`,
  'nodes.load': ({ active, capacity }) => `${active}/${capacity} 人`,
  'nodes.enabled': ({ id }) => `🟢 \`${id}\` を有効にしました。次の一覧から割り当てられます。`,
  'nodes.disabled': ({ id }) => `⚪ \`${id}\` を無効にしました。使っていた人は次に話すとき別のノードになります。`,
  'nodes.unknown': ({ id }) => `\`${id}\` というノードはありません。\`/nodes list\` で確認してください。`,
  'state.joining': () => '参加中',
  'state.ready': () => '正常',
  'state.suspect': () => '不安定',
  'state.resting': () => '応答なし',
  'state.gone': () => 'アドレスなし',
  'state.disabled': () => '無効',
  'ago.seconds': ({ count }) => `${count} 秒前`,
  'ago.minutes': ({ count }) => `${count} 分前`
}

const ko: Language<typeof en> = {
  'nodes.none': () => '아직 등록된 노드가 없어요. `npm run node`나 노트북으로 하나 켜 주세요.',
  'nodes.row': ({ mark, name, id, state, load, seen }) => `${mark} **${name}** \`${id}\` · ${state} · ${load} · ${seen} 확인`,
  'nodes.fault': ({ code, ago }) => ` · 마지막 오류 \`${code}\` ${ago}`,
  'nodes.more': ({ count }) => `… 그 밖에 ${count}개`,
  'nodes.load': ({ active, capacity }) => `${active}/${capacity}명`,
  'nodes.enabled': ({ id }) => `🟢 \`${id}\`을(를) 켰어요. 다음 목록부터 배정될 수 있어요.`,
  'nodes.disabled': ({ id }) => `⚪ \`${id}\`을(를) 껐어요. 쓰던 사람은 다음에 말할 때 다른 노드를 받아요.`,
  'nodes.unknown': ({ id }) => `\`${id}\` 노드는 없어요. \`/nodes list\`로 확인해 주세요.`,
  'state.joining': () => '들어오는 중',
  'state.ready': () => '정상',
  'state.suspect': () => '불안정',
  'state.resting': () => '응답 없음',
  'state.gone': () => '주소 없음',
  'state.disabled': () => '꺼짐',
  'ago.seconds': ({ count }) => `${count}초 전`,
  'ago.minutes': ({ count }) => `${count}분 전`
}

export const nodes = { en, ja, ko }
