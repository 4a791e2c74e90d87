import type { AutocompleteInteraction, ChatInputCommandInteraction } from 'discord.js'
import { PRIORITY } from '../../bot/dictionary/entry.ts'
import type { App } from '../../bot/discord/app.ts'
import { cut, plain } from '../../bot/discord/respond.ts'
import type { Translate } from '../../bot/i18n/index.ts'
import { faultOf, rowOf, spokenOf } from './row.ts'
import { changeRefused, scopeNamed } from './scope.ts'

type Slash = ChatInputCommandInteraction<'cached'>

/** Discord's bounds of autocomplete. */
const CHOICES_MAX = 25
const CHOICE_MAX_CHARS = 100

export function add({ options, member }: Slash, app: App, t: Translate): string {
  const scope = scopeNamed(options.getString('scope'), member)
  const refused = changeRefused(scope.of, member, app)
  if (refused !== undefined) return t(refused)
  const added = app.dictionaries.add(scope, {
    from: options.getString('from', true),
    to: options.getString('to') ?? '',
    kind: options.getString('kind') === 'regex' ? 'regex' : 'literal',
    priority: options.getInteger('priority') ?? PRIORITY.usual,
    wholeWord: options.getBoolean('whole_word') ?? true
  })
  if (!added.ok) return faultOf(added.reason, added.detail, scope.of, t)
  const entry = rowOf(added.entry, t)
  const of = t(`dictionary.of.${scope.of}`)
  return added.was === undefined ? t('dictionary.added', { of, entry }) : t('dictionary.changed', { of, entry, was: spokenOf(added.was.to, t) })
}

export function remove({ options, member }: Slash, app: App, t: Translate): string {
  const scope = scopeNamed(options.getString('scope'), member)
  const refused = changeRefused(scope.of, member, app)
  if (refused !== undefined) return t(refused)
  const from = options.getString('from', true)
  const removed = app.dictionaries.remove(scope, from)
  const of = t(`dictionary.of.${scope.of}`)
  return removed === undefined ? t('dictionary.notThere', { of, name: plain(cut(from, 60)) }) : t('dictionary.removed', { of, entry: rowOf(removed, t) })
}

/** The entries of the scope that was chosen, best first by what was typed, newest first before that. */
export async function suggestEntries(interaction: AutocompleteInteraction<'cached'>, { dictionaries }: App): Promise<void> {
  const { options, member } = interaction
  const scope = scopeNamed(options.getString('scope'), member)
  const typed = options.getFocused().trim()
  const found = typed === '' ? dictionaries.list(scope).slice(-CHOICES_MAX).reverse() : dictionaries.search(scope, typed, CHOICES_MAX)
  await interaction.respond(found.map(({ from, to }) => ({ name: cut(`${from} → ${to}`, CHOICE_MAX_CHARS), value: from })))
}
