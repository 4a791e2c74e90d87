import type { Clock } from '../../bot/core/clock.ts'
import type { Acts } from '../act.ts'
import type { VoiceServer } from '../voice/server.ts'
import type { World } from '../world.ts'

/** What a person does in the client: the part of the sandbox's acts that the page offers. */
export type PageActs = Pick<Acts, 'slash' | 'menu' | 'upload' | 'autocomplete' | 'button' | 'select' | 'submitForm' | 'sendMessage' | 'joinVoice' | 'leaveVoice'>

/** What the page needs of the voice server. */
export type PageVoice = Pick<VoiceServer, 'listen'>

export interface PageDeps {
  world: World
  act: PageActs
  voice: PageVoice
  clock: Clock
}
