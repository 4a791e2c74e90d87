import { transaction } from '../core/database.ts'
import type { Database } from '../core/database.ts'
import { createCompiledScopes } from './compiled-scopes.ts'
import { checkEntry, keyOf, namingEmoji } from './entry.ts'
import type { Draft, Entry } from './entry.ts'
import { fillScope } from './fill.ts'
import type { AddFault, Filled } from './fill.ts'
import { replaceWords } from './replace.ts'
import type { Use } from './replace.ts'
import { roomIn } from './room.ts'
import type { Room } from './room.ts'
import { scopeKey } from './scope.ts'
import type { Scope } from './scope.ts'
import { searchEntries } from './search.ts'
import { createEntryStore } from './store.ts'
import { createWork } from './work.ts'

/** `was`: the entry in whose place it came. */
export type Added = { ok: true; entry: Entry; was: Entry | undefined } | { ok: false; reason: AddFault; detail?: string }

export type EntryUse = Pick<Use, 'entry' | 'start' | 'end'> & Pick<Scope, 'of'>

/** How words are spoken. Every change is on disk when its call returns. */
export interface Dictionaries {
  /**
   * For one message: what a member wrote in a server -> what is spoken, by their own, the server's and everybody's entries. What it returns is bounded,
   * and so is the time that it takes, for all texts and names of the message together.
   * @param onUse is told of each entry that was used, in the order of the text, with the kind of its scope
   */
  replacerFor(guildId: string, userId: string, onUse?: (use: EntryUse) => void): (text: string) => string
  /** The oldest first. */
  list(scope: Scope): readonly Entry[]
  /** The best first: by what is written and what is spoken, with letters left out. */
  search(scope: Scope, query: string, limit: number): Entry[]
  /** Adds an entry, or changes the one that is written the same. */
  add(scope: Scope, draft: Draft): Added
  /** The entry that was there. */
  remove(scope: Scope, from: string): Entry | undefined
  /** Adds many: to those that are there, or in their place. One after the other for a scope. */
  fill(scope: Scope, drafts: readonly Draft[], how: 'merge' | 'replace'): Promise<Filled>
}

export function createDictionaries(database: Database): Dictionaries {
  const store = createEntryStore(database)
  const scopes = createCompiledScopes((key) => store.of(key))
  const list = (scope: Scope) => scopes.get(scopeKey(scope)).entries
  const find = (scope: Scope, kind: Entry['kind'], key: string) => list(scope).find((entry) => entry.kind === kind && entry.key === key)
  /** By a scope's key: what is being filled takes its room together with what is added meanwhile. */
  const filling = new Map<string, { room: Room; done: Promise<unknown> }>()

  return {
    replacerFor(guildId, userId, onUse) {
      const given: Scope[] = [{ of: 'mine', userId }, { of: 'server', guildId }, { of: 'all' }]
      const work = createWork(given.length)
      return (text) => {
        const replaced = replaceWords(text, given.map((scope) => scopes.get(scopeKey(scope))), work)
        for (const { scope, ...use } of replaced.uses) onUse?.({ ...use, of: given[scope]?.of ?? 'all' })
        return replaced.text
      }
    },
    list,
    search: (scope, query, limit) => searchEntries(list(scope), query, limit),
    add(scope, draft) {
      const checked = checkEntry(draft)
      if (!checked.ok) return checked
      const { entry } = checked
      const [name, key] = [scopeKey(scope), keyOf(entry)]
      const fault = (filling.get(name)?.room ?? roomIn(scope, list(scope))).take({ kind: entry.kind, key })
      if (fault !== undefined) return { ok: false, reason: fault }
      const was = find(scope, entry.kind, key)
      store.put(name, entry)
      scopes.changed(name)
      return { ok: true, entry, was }
    },
    remove(scope, from) {
      // Discord trims what is typed, which a pattern may begin or end with.
      const trimmed = () => list(scope).find(({ kind, key }) => kind === 'regex' && key.trim() === from.trim())
      const entry = find(scope, 'literal', keyOf({ kind: 'literal', from: namingEmoji(from.trim()) })) ?? find(scope, 'regex', from) ?? trimmed()
      if (entry === undefined) return undefined
      store.remove(scopeKey(scope), entry)
      scopes.changed(scopeKey(scope))
      return entry
    },
    async fill(scope, drafts, how) {
      const name = scopeKey(scope)
      for (let other = filling.get(name); other !== undefined; other = filling.get(name)) await other.done.catch(() => undefined)
      const before = store.of(name)
      const room = roomIn(scope, how === 'replace' ? [] : before)
      const done = fillScope({
        drafts,
        before,
        how,
        room,
        put: (entries) => transaction(database, () => entries.forEach((entry) => store.put(name, entry))),
        remove: (entries) => transaction(database, () => entries.forEach((entry) => store.remove(name, entry)))
      }).finally(() => {
        filling.delete(name)
        scopes.changed(name)
      })
      filling.set(name, { room, done })
      return done
    }
  }
}
