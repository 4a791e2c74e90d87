/** The colour words that operators use, as they would write them in hex. */
const WORDS: Readonly<Record<string, string>> = {
  red: '#ff0000', pink: '#e64980', orange: '#ff8c00', yellow: '#ffd700', green: '#008000', lime: '#80c000', teal: '#20a090',
  cyan: '#40b0e0', blue: '#2080ff', navy: '#204080', purple: '#9060d0', violet: '#a080e0', brown: '#a0522d', black: '#202020',
  gray: '#909090', grey: '#909090', white: '#ffffff'
}

/** A node's colour as `#rrggbb`, lower case; undefined for a colour that is none. */
export function hexOf(color: string): string | undefined {
  const hex = (WORDS[color.toLowerCase()] ?? color).toLowerCase()
  return /^#[0-9a-f]{6}$/.test(hex) ? hex : undefined
}
