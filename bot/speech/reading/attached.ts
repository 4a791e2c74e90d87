import type { ReadingContext } from './context.ts'
import { readName } from './name.ts'
import type { Attached, Posted } from './posted.ts'
import type { Wording } from './spoken.ts'

/** Discord's own limits are 3 and 10. */
const STICKERS_MAX = 3
const ATTACHMENTS_MAX = 20

/** What hangs on a message beside its text: files by their kind, stickers by their name (as emoji are). */
export function spokenAttached({ attachments = [], stickers = [] }: Posted, context: ReadingContext, { words, comma }: Wording): string {
  const counts = new Map<Attached['kind'], number>()
  if (context.rules.attachments === 'kind') for (const { kind } of attachments.slice(0, ATTACHMENTS_MAX)) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const names = context.rules.emoji === 'name' ? stickers.slice(0, STICKERS_MAX) : []
  return [
    ...[...counts].map(([kind, count]) => words(`reading.${kind}`, { count })),
    ...names.map((name) => words('reading.sticker', { name: readName(name, context) }).trim())
  ].join(comma)
}
