/** A piece of a message, its markup taken away. */
export type Token =
  | { kind: 'text'; text: string }
  | { kind: 'code'; isBlock: boolean; text: string }
  | { kind: 'link'; url: string }
  | { kind: 'mention'; of: 'user' | 'role' | 'channel'; id: string }
  | { kind: 'crowd'; who: 'everyone' | 'here' }
  | { kind: 'command'; name: string }
  | { kind: 'place'; place: Place }
  | { kind: 'time'; seconds: number; style: string | undefined }
  | { kind: 'emoji'; name: string }
  | { kind: 'spoiler'; inside: Token[] }

/** Pages of a server that Discord links to. */
export type Place = 'customize' | 'browse' | 'guide' | 'linked-roles'

/** A run of one character that may begin or end emphasis (`*`, `_`, `~`) or a masked link (`[`). What stays unpaired is text. */
export interface Mark {
  kind: 'mark'
  char: '*' | '_' | '~' | '['
  /** How many of the run are not paired yet. */
  left: number
  opens: boolean
  closes: boolean
}

/** A token that holds no others. */
export type Leaf = Exclude<Token, { kind: 'spoiler' }>

/** What the scanner gives: emphasis and masked links are not paired yet, and what a spoiler covers is as it was written. */
export type Item = Leaf | Mark | { kind: 'spoiler'; inside: string }
