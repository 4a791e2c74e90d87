const SLASH = 1
const MESSAGE_MENU = 3
const SUBCOMMAND = 1
const SUBCOMMAND_GROUP = 2
const ADMINISTRATOR = 1n << 3n

/**
 * The slash commands that a member sees, one entry for each that can be sent: a command with subcommands becomes one entry per
 * subcommand. Commands whose `default_member_permissions` the member lacks are left out, as Discord does.
 */
export function commandEntries(commands, guildId, member) {
  return ofKind(SLASH, commands, guildId, member)
    .flatMap((command) => entriesOf(command.data, member?.locale))
    .sort((a, b) => a.label.localeCompare(b.label))
}

/** The entries that a member sees in the menu of a message: what they are called in the member's language, and by what name they are used. */
export const menuEntries = (commands, guildId, member) =>
  ofKind(MESSAGE_MENU, commands, guildId, member)
    .map(({ data }) => ({ name: data.name, label: localised(data, 'name', member?.locale) }))
    .sort((a, b) => a.label.localeCompare(b.label))

const ofKind = (kind, commands, guildId, member) =>
  commands.filter(({ guildId: where, data }) => (where === null || where === guildId) && (data.type ?? SLASH) === kind && mayUse(data, member))

export function mayUse({ default_member_permissions: needed }, member) {
  if (needed === null || needed === undefined) return true
  const has = BigInt(member?.permissions ?? 0)
  if ((has & ADMINISTRATOR) !== 0n) return true
  const bits = BigInt(needed)
  return bits !== 0n && (has & bits) === bits
}

function entriesOf(data, locale) {
  const entry = (parts, path) => {
    const last = parts.at(-1)
    return {
      commandName: data.name,
      path,
      /** What is typed behind the slash, in the member's language; the registered names work as well. */
      label: parts.map((part) => localised(part, 'name', locale)).join(' '),
      name: parts.map(({ name }) => name).join(' '),
      description: localised(last, 'description', locale),
      options: (last.options ?? []).map((option) => ({
        ...option,
        label: localised(option, 'name', locale),
        description: localised(option, 'description', locale),
        choices: option.choices?.map((choice) => ({ value: choice.value, name: localised(choice, 'name', locale) }))
      }))
    }
  }
  const options = data.options ?? []
  const below = options.filter(({ type }) => type === SUBCOMMAND || type === SUBCOMMAND_GROUP)
  if (below.length === 0) return [entry([data], {})]
  return below.flatMap((sub) =>
    sub.type === SUBCOMMAND
      ? [entry([data, sub], { subcommand: sub.name })]
      : (sub.options ?? []).map((leaf) => entry([data, sub, leaf], { subcommandGroup: sub.name, subcommand: leaf.name }))
  )
}

const localised = (thing, field, locale) => thing[`${field}_localizations`]?.[locale] ?? thing[field] ?? ''
