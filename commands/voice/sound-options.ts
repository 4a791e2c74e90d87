import { ApplicationCommandOptionType } from 'discord.js'
import type { APIApplicationCommandBasicOption, ChatInputCommandInteraction } from 'discord.js'
import { told } from '../../bot/discord/command.ts'
import { plain } from '../../bot/discord/respond.ts'
import { closeVoices, voiceIdOf, voicesOf } from '../../bot/discord/voices.ts'
import type { Translate } from '../../bot/i18n/index.ts'
import type { Sound } from '../../bot/members/preferences.ts'
import type { Pool } from '../../bot/nodes/pool.ts'

const VOICE_MAX_CHARS = 128

/** Voice, speed, pitch and volume, with the bounds of contract 2. */
export const soundOptions: APIApplicationCommandBasicOption[] = [
  {
    ...told(['voice', '声', '목소리'], ['Whose voice: part of a name, a language or an engine', '声（名前・言語・エンジンの一部で探せます）', '목소리 (이름, 언어, 엔진의 일부로 찾기)']),
    type: ApplicationCommandOptionType.String,
    autocomplete: true,
    max_length: VOICE_MAX_CHARS
  },
  {
    ...told(['speed', '速さ', '속도'], ['How fast: 1 is the voice’s own, 2 twice as fast', '速さ（1 が標準、2 で 2 倍）', '속도 (1이 기본, 2는 두 배)']),
    type: ApplicationCommandOptionType.Number,
    min_value: 0.25,
    max_value: 4
  },
  {
    ...told(['pitch', '高さ', '높이'], ['How high, in semitones: 0 is the voice’s own', '高さ（半音単位、0 が標準）', '높이 (반음 단위, 0이 기본)']),
    type: ApplicationCommandOptionType.Number,
    min_value: -12,
    max_value: 12
  },
  {
    ...told(['volume', '音量', '음량'], ['How loud: 1 is the voice’s own, 0.5 half of it', '音量（1 が標準、0.5 で半分）', '음량 (1이 기본, 0.5는 절반)']),
    type: ApplicationCommandOptionType.Number,
    min_value: 0,
    max_value: 2
  }
]

type Given = { ok: true; sound: Sound } | { ok: false; content: string }

/** What was chosen of them; a voice that the pool does not have is refused, with those that are close. */
export function givenSound({ options }: ChatInputCommandInteraction<'cached'>, pool: Pool, t: Translate): Given {
  const typed = options.getString('voice')
  const voice = typed === null ? undefined : voiceIdOf(typed, pool)
  if (voice?.ok === false) return { ok: false, content: unknownVoice(typed ?? '', pool, t) }
  const numbers = (['speed', 'pitch', 'volume'] as const).map((name) => [name, options.getNumber(name)] as const).filter(([, value]) => value !== null)
  return { ok: true, sound: { ...(voice !== undefined && { voice: voice.id }), ...(Object.fromEntries(numbers) as Sound) } }
}

function unknownVoice(typed: string, pool: Pool, t: Translate): string {
  const close = closeVoices(typed, voicesOf(pool)).map(({ name, id }) => `**${plain(name)}** \`${id.replaceAll('`', '')}\``)
  return [t('voice.unknown', { name: plain(typed) }), ...(close.length > 0 ? [t('voice.close', { list: close.join(', ') })] : []), t('voice.lookup')].join('\n')
}
