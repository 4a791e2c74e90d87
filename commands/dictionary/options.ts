import { ApplicationCommandOptionType } from 'discord.js'
import type { APIApplicationCommandBasicOption } from 'discord.js'
import { FROM_MAX, PRIORITY, TO_MAX } from '../../bot/dictionary/entry.ts'
import { told } from '../../bot/discord/command.ts'
import { scopeOption } from './scope.ts'

type Options = APIApplicationCommandBasicOption[]

const TEXT = ApplicationCommandOptionType.String

export const addOptions: Options = [
  { ...told(['from', '単語', '낱말'], ['What is written', '書かれる言葉', '적힌 말']), type: TEXT, required: true, max_length: FROM_MAX },
  {
    ...told(['to', '読み', '읽기'], ['What is spoken; by itself nothing ($1 is a regular expression’s first group)', '読み方（指定しなければ読まない。正規表現では $1 が1つ目のグループ）', '읽을 말 (고르지 않으면 읽지 않음, 정규식에서는 $1이 첫 번째 그룹)']),
    type: TEXT,
    max_length: TO_MAX
  },
  scopeOption,
  {
    ...told(['kind', '種類', '종류'], ['By itself just as it is written', '指定しなければ、書いたとおりの言葉', '고르지 않으면 적힌 그대로']),
    type: TEXT,
    choices: [
      { name: 'as written', value: 'literal', name_localizations: { ja: 'そのまま', ko: '적힌 그대로' } },
      { name: 'regular expression (RE2)', value: 'regex', name_localizations: { ja: '正規表現（RE2）', ko: '정규식 (RE2)' } }
    ]
  },
  {
    ...told(['priority', '優先度', '우선순위'], ['The higher goes first; by itself 5', '大きいほど先に使われます（指定しなければ 5）', '클수록 먼저 쓰여요 (고르지 않으면 5)']),
    type: ApplicationCommandOptionType.Integer,
    min_value: PRIORITY.min,
    max_value: PRIORITY.max
  },
  {
    ...told(['whole_word', '単語単位', '낱말단위'], ['Not inside longer words; by itself yes (“cat” is not in “category”)', '長い単語の一部には使わない（指定しなければ「はい」。cat は category に含めない）', '더 긴 낱말 안에서는 쓰지 않아요 (고르지 않으면 예, category 안의 cat은 그대로)']),
    type: ApplicationCommandOptionType.Boolean
  }
]

export const removeOptions: Options = [
  { ...told(['from', '単語', '낱말'], ['What is written', '書かれる言葉', '적힌 말']), type: TEXT, required: true, autocomplete: true, max_length: FROM_MAX },
  scopeOption
]

export const searchOptions: Options = [
  { ...told(['query', '検索語', '검색어'], ['A part of what is written or spoken', '単語か読みの一部', '낱말이나 읽기의 일부']), type: TEXT, required: true, max_length: FROM_MAX },
  { ...scopeOption, ...told(['scope', '範囲', '범위'], ['Whose entries: by itself all that hold for you here', 'だれの辞書か（指定しなければ、ここで使われるすべて）', '누구의 사전인지 (고르지 않으면 여기에서 쓰이는 모두)']) }
]

export const importOptions: Options = [
  { ...told(['file', 'ファイル', '파일'], ['CSV, JSON or VOICEVOX’s user dictionary', 'CSV・JSON・VOICEVOX のユーザー辞書', 'CSV, JSON 또는 VOICEVOX 사용자 사전']), type: ApplicationCommandOptionType.Attachment, required: true },
  scopeOption,
  {
    ...told(['mode', '方法', '방법'], ['What becomes of the entries that are there; by itself they stay', 'いまの登録をどうするか（指定しなければ残す）', '지금 있는 것을 어떻게 할지 (고르지 않으면 남김)']),
    type: TEXT,
    choices: [
      { name: 'merge', value: 'merge', name_localizations: { ja: '残して追加', ko: '남기고 더하기' } },
      { name: 'replace', value: 'replace', name_localizations: { ja: 'すべて置き換え', ko: '모두 바꾸기' } }
    ]
  }
]

export const exportOptions: Options = [
  scopeOption,
  {
    ...told(['format', '形式', '형식'], ['By itself CSV', '指定しなければ CSV', '고르지 않으면 CSV']),
    type: TEXT,
    choices: [
      { name: 'CSV', value: 'csv' },
      { name: 'JSON', value: 'json' }
    ]
  }
]

export const trialOptions: Options = [
  { ...told(['text', '文章', '내용'], ['What somebody might write', '書きそうな文章', '누군가 적을 만한 말']), type: TEXT, required: true, max_length: 2000 }
]
