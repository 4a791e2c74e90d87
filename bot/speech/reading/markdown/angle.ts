import type { Place, Leaf } from './token.ts'

/** All that Discord writes between `<` and `>`: mentions, commands, places, times, custom emoji, and links without an embed. */
const ANGLE = new RegExp(
  [
    '@!?(?<user>\\d{1,21})',
    '@&(?<role>\\d{1,21})',
    '#(?<channel>\\d{1,21})',
    '/(?<command>[^:<>\\n]{1,100}):\\d{1,21}',
    'id:(?<place>customize|browse|guide|linked-roles)(?::\\d{1,21})?',
    't:(?<seconds>-?\\d{1,20})(?::(?<style>[a-zA-Z]))?',
    'a?:(?<emoji>\\w{1,32}):\\d{1,21}',
    '(?<url>https?://[^\\s<>]+)',
    '(?:mailto:)?(?<address>[\\w.+-]{1,64}@[\\w.-]{1,255}|\\+\\d{3,15})'
  ]
    .map((each) => `<${each}>`)
    .join('|'),
  'y'
)

/** The token that begins at `at`, and where it ends; undefined when `<` is only a sign there. */
export function angleAt(content: string, at: number): { token: Leaf; end: number } | undefined {
  ANGLE.lastIndex = at
  const groups = ANGLE.exec(content)?.groups
  return groups === undefined ? undefined : { token: tokenOf(groups), end: ANGLE.lastIndex }
}

function tokenOf({ user, role, channel, command, place, seconds, style, emoji, url, address = '' }: Record<string, string | undefined>): Leaf {
  if (user !== undefined) return { kind: 'mention', of: 'user', id: user }
  if (role !== undefined) return { kind: 'mention', of: 'role', id: role }
  if (channel !== undefined) return { kind: 'mention', of: 'channel', id: channel }
  if (command !== undefined) return { kind: 'command', name: command }
  if (place !== undefined) return { kind: 'place', place: place as Place }
  if (seconds !== undefined) return { kind: 'time', seconds: Number(seconds), style }
  if (emoji !== undefined) return { kind: 'emoji', name: emoji }
  return url === undefined ? { kind: 'text', text: address } : { kind: 'link', url }
}
