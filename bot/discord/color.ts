import { hexOf } from '../nodes/color.ts'

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

/** The dot that is nearest to a node's colour; a white one for a colour that is none. */
export function markOf(color: string): string {
  const hex = hexOf(color)
  if (hex === undefined) return '⚪'
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)) as [number, number, number]
  const far = ([, r, g, b]: (typeof DOTS)[number]) => (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2
  return DOTS.reduce((nearest, dot) => (far(dot) < far(nearest) ? dot : nearest))[0]
}
