import type { Pool } from '../../nodes/pool.ts'
import { ANY_VOICE, VOICES_MAX } from '../../wire/node.ts'
import type { Voice } from '../../wire/node.ts'

/** The OpenAI API's own voices. Programs that ask for one mean any good voice. */
const OPENAI_VOICES = ['alloy', 'ash', 'ballad', 'cedar', 'coral', 'echo', 'fable', 'marin', 'nova', 'onyx', 'sage', 'shimmer', 'verse']

/** Every voice that a node of the pool has told of, once each; undefined when none has told yet: that is not the same as none. */
export function poolVoices(pool: Pick<Pool, 'nodes'>): readonly Voice[] | undefined {
  const told = pool.nodes().flatMap(({ health, voices }) => (health.state === 'gone' || voices === undefined ? [] : [voices]))
  if (told.length === 0) return undefined
  const byId = new Map<string, Voice>()
  for (const voice of told.flat()) if (!byId.has(voice.id)) byId.set(voice.id, voice)
  return [...byId.values()].slice(0, VOICES_MAX)
}

/** The voice to ask the pool for: the OpenAI API's names are `auto` where no node has a voice of that name. */
export function voiceFor(asked: string, pool: Pick<Pool, 'nodes'>): string {
  if (!OPENAI_VOICES.includes(asked)) return asked
  return pool.nodes().some(({ health, voices }) => health.state !== 'gone' && voices?.some(({ id }) => id === asked) === true) ? asked : ANY_VOICE
}
