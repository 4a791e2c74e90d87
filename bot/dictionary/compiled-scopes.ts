import { LRUCache } from 'lru-cache'
import { compileLiterals } from './literals.ts'
import { AUTOMATON_MAX_BYTES, compilePatterns } from './patterns.ts'
import type { Finder, Kept } from './replace.ts'

/** A scope's entries in memory: as they are, and ready to be found. */
export interface CompiledScope extends Finder {
  entries: readonly Kept[]
}

/** Some hundred servers' full dictionaries, or those of a hundred thousand members. */
const MEMORY_MAX_BYTES = 96 * 1024 * 1024
const PER_SCOPE_BYTES = 800
/** A word: its row, its letters, and its nodes in the tree. */
const PER_ENTRY_BYTES = 1_500

/** Scopes as they were last asked for, made anew only after a change; the longest unused goes first. */
export function createCompiledScopes(entriesOf: (scope: string) => Kept[]) {
  const known = new LRUCache<string, CompiledScope>({ maxSize: MEMORY_MAX_BYTES, sizeCalculation: sizeOf })
  return {
    get(scope: string): CompiledScope {
      const there = known.get(scope)
      if (there !== undefined) return there
      const made = compile(entriesOf(scope))
      known.set(scope, made)
      return made
    },
    changed: (scope: string) => void known.delete(scope)
  }
}

function compile(entries: readonly Kept[]): CompiledScope {
  const of = (kind: Kept['kind']) => entries.filter((entry) => entry.kind === kind)
  return { entries, literals: compileLiterals(of('literal')), patterns: compilePatterns(of('regex')) }
}

function sizeOf({ entries }: CompiledScope): number {
  return PER_SCOPE_BYTES + PER_ENTRY_BYTES * entries.length + (entries.some(({ kind }) => kind === 'regex') ? AUTOMATON_MAX_BYTES : 0)
}
