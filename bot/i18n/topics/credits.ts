import type { Language, Sentences } from '../language.ts'

const en = {
  'credits.title': () => 'Whose voices you hear',
  'credits.licence': (a: { licence: string; list: string }) => `**${a.licence}**: ${a.list}`,
  'credits.credit': (a: { credit: string }) => `Credit: ${a.credit}`,
  'credits.unknown': (a: { list: string }) => `Their nodes tell no licence: ${a.list}`,
  'credits.others': (a: { list: string; count: number }) => `${a.list} and ${a.count} more`,
  'credits.more': (a: { count: number }) => `… and ${a.count} more licences.`,
  'credits.none': () => 'No node has told of a voice yet.',
  'credits.publish': () => 'Whoever publishes a recording keeps to its voice’s licence.',
  'credits.project': () => 'Voxpool itself is free software under the MIT licence.'
} as const satisfies Sentences

const ja: Language<typeof en> = {
  'credits.title': () => '声のクレジット',
  'credits.licence': ({ licence, list }) => `**${licence}**: ${list}`,
  'credits.credit': ({ credit }) => `クレジット: ${credit}`,
  'credits.unknown': ({ list }) => `ライセンスがわからないもの: ${list}`,
  'credits.others': ({ list, count }) => `${list} ほか ${count} 種類`,
  'credits.more': ({ count }) => `… ほか ${count} 件のライセンス`,
  'credits.none': () => 'まだ声がわかりません。',
  'credits.publish': () => '録音を公開するときは、その声のライセンスを守ってください。',
  'credits.project': () => 'Voxpool は MIT ライセンスのフリーソフトウェアです。'
}

const ko: Language<typeof en> = {
  'credits.title': () => '목소리를 만든 분들',
  'credits.licence': ({ licence, list }) => `**${licence}**: ${list}`,
  'credits.credit': ({ credit }) => `출처: ${credit}`,
  'credits.unknown': ({ list }) => `라이선스를 알 수 없음: ${list}`,
  'credits.others': ({ list, count }) => `${list} 외 ${count}개`,
  'credits.more': ({ count }) => `… 그 밖에 라이선스 ${count}건`,
  'credits.none': () => '아직 알려진 목소리가 없어요.',
  'credits.publish': () => '녹음을 공개할 때는 그 목소리의 라이선스를 지켜 주세요.',
  'credits.project': () => 'Voxpool은 MIT 라이선스의 자유 소프트웨어예요.'
}

export const credits = { en, ja, ko }
