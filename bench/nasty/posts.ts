import type { Sent } from '../../sandbox/acts/messages.ts'
import { jumbled, nasty } from '../reading/nasty.ts'
import { ordinary } from '../reading/ordinary.ts'

/** What somebody posts, without who and where. */
export interface Post {
  kind: 'words' | 'reply' | 'files' | 'voiceMessage' | 'stickers' | 'poll' | 'forward' | 'webhook' | 'bot' | 'system'
  content: string
  sent: Sent
}

/** How many of a hundred posts are of each kind. */
const SHARES: readonly (readonly [Post['kind'], number])[] = [
  ['words', 62], ['reply', 6], ['files', 6], ['voiceMessage', 2], ['stickers', 4], ['poll', 3], ['forward', 5], ['webhook', 4], ['bot', 5], ['system', 3]
]

const FILES = [
  ['cat.png', 'image/png'], ['clip.mp4', 'video/mp4'], ['song.mp3', 'audio/mpeg'], ['notes.txt', 'text/plain'], ['archive.zip', 'application/zip'], ['⠀.bin', ''], [`${'a'.repeat(200)}.exe`, 'application/octet-stream']
] as const

const SHORT = [
  ';', '; a line to skip', '.', '!?', '…', '\u200b', '||', '**', '``````', '> ', '#', '<@0>', '<@100000000000000009> <@&100000000000000009> <#100000000000000009>', '<t:99999999999999:R>', '<t:-1:f>',
  '</no such:1>', '<:x:1><a:y:2>', '@everyone', '@here', '||<@1>||', '```js\n```', '[](https://a.b)', 'http://', 'https://[::1]:80/?q=`', '<speak><break time="60s"/></speak>', '&lt;&amp;', '(╯°□°)╯︵ ┻━┻',
  '\ud83d', '\ufeff', '\u0000', '٣٫١٤', '½ ⅓ Ⅻ ①', '__proto__', 'constructor', '${process.exit()}', '%s%n', '\\', '草草草草草', 'ㅋㅋㅋㅋㅋㅋ', 'wwwwwww', '100000000000000000000', '1e309', '-0'
]

/** A generator of what people post to hurt, by accident or not: the same row of posts for the same `random`. */
export function createPosts(random: () => number): () => Post {
  const pick = (below: number) => Math.floor(random() * below)
  const among = <T>(all: readonly T[], fallback: T): T => all[pick(all.length)] ?? fallback
  const usual = Object.values(ordinary).flat()
  const total = SHARES.reduce((sum, [, share]) => sum + share, 0)

  function kind(): Post['kind'] {
    let left = pick(total)
    for (const [each, share] of SHARES) if ((left -= share) < 0) return each
    return 'words'
  }

  /** A piece of anything, cut wherever it happens to be cut: in the middle of a mention, of a letter, of its marks. */
  function words(): string {
    const draw = random()
    if (draw < 0.35) return among(usual, '')
    if (draw < 0.55) return among(SHORT, '')
    const whole = draw < 0.8 ? among(nasty, { name: '', content: '' }).content : jumbled(pick)
    const start = random() < 0.3 ? pick(whole.length) : 0
    return whole.slice(start, start + (random() < 0.2 ? 2000 : 1 + pick(80)))
  }

  function sentWith(what: Post['kind']): Sent {
    const file = () => {
      const [filename, contentType] = among(FILES, FILES[0])
      return { filename, contentType, bytes: new Uint8Array(1) }
    }
    if (what === 'files') return { attachments: Array.from({ length: 1 + pick(10) }, file) }
    if (what === 'voiceMessage') return { isVoiceMessage: true, attachments: [{ filename: 'voice-message.ogg', contentType: 'audio/ogg', bytes: new Uint8Array(1), durationSecs: 1, waveform: 'AA==' }] }
    if (what === 'stickers') return { stickers: Array.from({ length: 1 + pick(3) }, () => words().slice(0, 30)) }
    if (what === 'poll') return { poll: { question: words().slice(0, 300), answers: Array.from({ length: 1 + pick(10) }, () => words().slice(0, 55)) } }
    return {}
  }

  return () => {
    const what = kind()
    const isBare = what === 'voiceMessage' || what === 'stickers' || what === 'poll' || what === 'system' || what === 'forward'
    return { kind: what, content: isBare && random() < 0.8 ? '' : words(), sent: sentWith(what) }
  }
}
