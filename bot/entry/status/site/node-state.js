/**
 * How a state looks: its tone (good, calm, warn, bad, off) and its sign, which says the same as the tone without colour. The words are `state.…`.
 */
const STATES = {
  ready: { tone: 'good', sign: 'check' },
  joining: { tone: 'calm', sign: 'dots' },
  trial: { tone: 'warn', sign: 'wave' },
  suspect: { tone: 'warn', sign: 'wave' },
  stale: { tone: 'warn', sign: 'clock' },
  draining: { tone: 'calm', sign: 'out' },
  resting: { tone: 'bad', sign: 'cross' },
  gone: { tone: 'bad', sign: 'unlink' },
  disabled: { tone: 'off', sign: 'minus' }
}
const UNKNOWN = { tone: 'off', sign: 'question' }

export const lookOf = (state) => (Object.hasOwn(STATES, state) ? STATES[state] : UNKNOWN)

/** A state that this page does not know yet is called as the bot calls it. */
export const stateWord = (state, { has, say }) => (has(`state.${state}`) ? say(`state.${state}`) : state)

/** The registry takes any text for a colour: what is none is the colour of none. */
export const colorOf = (color) => (/^#[0-9a-f]{6}$/i.test(color) ? color : '#8a9a95')

/** Troubles first: so stand the filters. */
export const STATE_ORDER = ['resting', 'gone', 'stale', 'suspect', 'trial', 'draining', 'joining', 'ready', 'disabled']

/**
 * Of the nodes in use: how many there are, how many can speak, and the members they hold of those they should hold at most. `out`: those that are not in
 * use. Nodes without a voice are there for other services, and belong to neither.
 */
export function sumsOf(nodes) {
  const speaking = nodes.filter(({ voices }) => voices !== 0)
  const inUse = speaking.filter(({ state }) => state !== 'disabled' && state !== 'draining')
  return {
    all: inUse.length,
    speak: inUse.filter(({ speaks }) => speaks).length,
    out: speaking.length - inUse.length,
    members: inUse.reduce((sum, { members }) => sum + (members ?? 0), 0),
    capacity: inUse.reduce((sum, { capacity }) => sum + capacity, 0)
  }
}
