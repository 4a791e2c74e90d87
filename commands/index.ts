import type { Entry } from '../bot/discord/command.ts'
import { join } from './join.ts'
import { leave } from './leave.ts'
import { nodes } from './nodes.ts'
import { say } from './say.ts'
import { skip } from './skip.ts'
import { status } from './status.ts'
import { stop } from './stop.ts'

/** Every command and menu entry, by hand: what stands here is what Discord is told. */
export const commands: readonly Entry[] = [say, join, leave, skip, stop, status, nodes]
