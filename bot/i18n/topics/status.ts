import type { Language, Sentences } from '../language.ts'

const en = {
  'status.title': () => 'How the voices are doing',
  'status.well': () => '🟢 All is well.',
  'status.unsteady': () => '🟡 The nodes fail at times; what they cannot say is tried again.',
  'status.none': () => '🔴 No node can speak right now. `/say` works again when one is back.',
  'status.registry': (a: { ago: string }) => `🟡 The registry does not answer; the last good list is from ${a.ago}. Speaking goes on.`,
  'status.registryNever': () => '🟡 The registry has not answered yet.',
  'status.nodes': (a: { ready: number; all: number }) => `Nodes that can speak: **${a.ready}** of ${a.all}`,
  'status.node': (a: { mark: string; name: string; state: string; inFlight: number; median: string; slow: string }) =>
    `${a.mark} ${a.name} · ${a.state} · ${a.inFlight} under way · ${a.median} s, at times ${a.slow} s`,
  'status.yours': (a: { mark: string; name: string }) => `Your node: ${a.mark} ${a.name}`,
  'status.yoursNone': () => 'Your node: none yet, you get one when you speak',
  'status.queue': (a: { count: number; seconds: string }) => `Waiting here: **${a.count}**, about ${a.seconds} s`,
  'status.counts': (a: { heard: string; failed: string; moved: string; hedges: string; cached: string }) =>
    `Since the start: ${a.heard} said, ${a.failed} failed, ${a.moved} moved to another node, ${a.hedges} asked twice, ${a.cached} from the cache`,
  'status.faults': (a: { list: string }) => `Faults: ${a.list}`
} as const satisfies Sentences

const ja: Language<typeof en> = {
  'status.title': () => '声の調子',
  'status.well': () => '🟢 すべて順調です。',
  'status.unsteady': () => '🟡 ノードがときどき失敗しています。読めなかったものはもう一度試します。',
  'status.none': () => '🔴 いま話せるノードがありません。戻ると `/say` がまた使えます。',
  'status.registry': ({ ago }) => `🟡 レジストリが応答しません。最後に取れた一覧（${ago}）で読み上げを続けています。`,
  'status.registryNever': () => '🟡 レジストリからまだ応答がありません。',
  'status.nodes': ({ ready, all }) => `話せるノード: **${ready}** / ${all}`,
  'status.node': ({ mark, name, state, inFlight, median, slow }) => `${mark} ${name} · ${state} · 処理中 ${inFlight} 件 · ${median} 秒（遅いとき ${slow} 秒）`,
  'status.yours': ({ mark, name }) => `あなたのノード: ${mark} ${name}`,
  'status.yoursNone': () => 'あなたのノード: まだありません（話すときに決まります）',
  'status.queue': ({ count, seconds }) => `ここの順番待ち: **${count}** 件、約 ${seconds} 秒`,
  'status.counts': ({ heard, failed, moved, hedges, cached }) =>
    `起動してから: ${heard} 件を読み上げ、失敗 ${failed} 件、別のノードへの移動 ${moved} 件、二重の依頼 ${hedges} 件、キャッシュ ${cached} 件`,
  'status.faults': ({ list }) => `不調: ${list}`
}

const ko: Language<typeof en> = {
  'status.title': () => '목소리들의 상태',
  'status.well': () => '🟢 모두 좋아요.',
  'status.unsteady': () => '🟡 노드가 가끔 실패해요. 말하지 못한 것은 다시 해 봅니다.',
  'status.none': () => '🔴 지금 말할 수 있는 노드가 없어요. 돌아오면 `/say`를 다시 쓸 수 있어요.',
  'status.registry': ({ ago }) => `🟡 레지스트리가 응답하지 않아요. 마지막 목록(${ago})으로 계속 말하고 있어요.`,
  'status.registryNever': () => '🟡 레지스트리가 아직 응답하지 않았어요.',
  'status.nodes': ({ ready, all }) => `말할 수 있는 노드: **${ready}** / ${all}`,
  'status.node': ({ mark, name, state, inFlight, median, slow }) => `${mark} ${name} · ${state} · 진행 중 ${inFlight}건 · ${median}초 (느릴 때 ${slow}초)`,
  'status.yours': ({ mark, name }) => `내 노드: ${mark} ${name}`,
  'status.yoursNone': () => '내 노드: 아직 없어요 (말할 때 정해져요)',
  'status.queue': ({ count, seconds }) => `여기 대기: **${count}**건, 약 ${seconds}초`,
  'status.counts': ({ heard, failed, moved, hedges, cached }) =>
    `시작한 뒤: ${heard}건 말함, ${failed}건 실패, ${moved}건 다른 노드로 옮김, ${hedges}건 두 번 요청, ${cached}건 캐시`,
  'status.faults': ({ list }) => `오류: ${list}`
}

export const status = { en, ja, ko }
