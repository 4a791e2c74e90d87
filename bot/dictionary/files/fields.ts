import * as z from 'zod'
import type { Draft } from '../entry.ts'
import type { RowFault } from './rows.ts'

/** An entry as a file has it; bounds of its words are `checkEntry`'s. */
const Fields = z.object({
  from: z.string(),
  to: z.string(),
  kind: z.enum(['literal', 'regex']).optional(),
  priority: z.int().min(0).max(10).optional(),
  wholeWord: z.boolean().optional()
})

export type Fielded = { draft: Draft } | { reason: RowFault }

/** What a file says of an entry, by our names, as a draft, or the first field that is wrong. */
export function draftOf(given: unknown): Fielded {
  const { success, data, error } = Fields.safeParse(given)
  if (success) {
    const { from, to, kind, priority, wholeWord } = data
    return { draft: { from, to, ...(kind && { kind }), ...(priority !== undefined && { priority }), ...(wholeWord !== undefined && { wholeWord }) } }
  }
  const field = error.issues[0]?.path[0]
  return { reason: field === 'kind' || field === 'priority' ? field : 'fields' }
}
