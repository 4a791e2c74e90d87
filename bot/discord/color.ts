/** Coloured dots that every client draws, with the colour they have there. */
const DOTS: readonly (readonly [mark: string, red: number, green: number, blue: number])[] = [
  ['🔴', 221, 46, 68],
  ['🟠', 244, 144, 12],
  ['🟡', 253, 203, 88],
  ['🟢', 120, 177, 89],
  ['🔵', 85, 172, 238],
  ['🟣', 170, 142, 214],
  ['🟤', 193, 105, 79],
  ['⚫', 49, 55, 61],
  ['⚪', 230, 231, 232]
]

/** The colour words that operators use, as they would write them in hex. */
const WORDS: Readonly<Record<string, string>> = {
  red: '#ff0000', pink: '#e64980', orange: '#ff8c00', yellow: '#ffd700', green: '#008000', lime: '#80c000', teal: '#20a090',
  cyan: '#40b0e0', blue: '#2080ff', navy: '#204080', purple: '#9060d0', violet: '#a080e0', brown: '#a0522d', black: '#202020',
  gray: '#909090', grey: '#909090', white: '#ffffff'
}

/** The dot that is nearest to a node's colour; a white one for a colour that is none. */
export function markOf(color: string): string {
  const hex = (WORDS[color.toLowerCase()] ?? color).match(/^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i)
  if (hex === null) return '⚪'
  const [red = 0, green = 0, blue = 0] = hex.slice(1).map((part) => parseInt(part, 16))
  const far = ([, r, g, b]: (typeof DOTS)[number]) => (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2
  return DOTS.reduce((nearest, dot) => (far(dot) < far(nearest) ? dot : nearest))[0]
}
