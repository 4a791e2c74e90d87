/** One sentence to try a voice with, in the languages that most voices speak. */
const SAMPLES: ReadonlyMap<string, string> = new Map(Object.entries({
  en: 'Hello! This is what I sound like.',
  ja: 'こんにちは。わたしは、こんな声です。',
  ko: '안녕하세요. 제 목소리는 이래요.',
  zh: '你好！这就是我的声音。',
  yue: '你好！呢個就係我把聲。',
  es: '¡Hola! Así suena mi voz.',
  fr: 'Bonjour ! Voici ma voix.',
  de: 'Hallo! So klinge ich.',
  it: 'Ciao! Questa è la mia voce.',
  pt: 'Olá! Esta é a minha voz.',
  nl: 'Hallo! Zo klink ik.',
  pl: 'Cześć! Tak brzmi mój głos.',
  ru: 'Привет! Вот так звучит мой голос.',
  uk: 'Привіт! Ось так звучить мій голос.',
  tr: 'Merhaba! Sesim böyle.',
  vi: 'Xin chào! Đây là giọng của tôi.',
  id: 'Halo! Beginilah suara saya.',
  hi: 'नमस्ते! मेरी आवाज़ ऐसी है।'
}))

/** In the voice's language, or else in the member's, or in English. Both are BCP 47 tags. */
export function sampleFor(voiceLanguage: string | undefined, locale: string): string {
  const of = (tag: string | undefined) => SAMPLES.get(tag?.split('-')[0]?.toLowerCase() ?? '')
  return of(voiceLanguage) ?? of(locale) ?? of('en') ?? ''
}
