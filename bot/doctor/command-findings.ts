import type { APIApplicationCommand } from 'discord.js'
import type { Entry } from '../discord/command.ts'
import { differenceOf } from '../discord/register.ts'
import { finding } from './finding.ts'
import type { Finding } from './finding.ts'
import type { DiscordSeen } from './see-discord.ts'

type Seen = Pick<Extract<DiscordSeen, { token: 'valid' }>, 'commands' | 'servers'>

/** Whether the commands are registered, once, and equal to ours. */
export function commandFindings({ commands, servers }: Seen, entries: readonly Entry['data'][]): Finding[] {
  if (!commands.seen) return [unseen('commands', commands.reason)]
  const looked = servers.seen ? servers.value.first : []
  const blind = looked.flatMap(({ name, commands: own }) => (own.seen ? [] : [unseen(`commands in server ${name}`, own.reason)]))
  if (!servers.seen) blind.push(unseen('commands in servers', servers.reason))
  const withOwn = looked.flatMap(({ id, name, commands: own }) => (own.seen && own.value.length > 0 ? [{ id, name, there: own.value }] : []))

  if (commands.value.length > 0) {
    const doubled = withOwn.map(({ id, name }) =>
      finding(
        'discord.commands-doubled', `server ${name}`, 'the commands are registered there and for every server, and show twice.',
        `Run npm run deploy:commands -- --remove-guild ${id}`, { evidence: { guildId: id } }
      )
    )
    return [compared('commands', commands.value, entries, ''), ...doubled, ...blind]
  }
  if (withOwn.length > 0) return [...withOwn.map(({ id, name, there }) => compared(`commands in server ${name}`, there, entries, id)), ...blind]
  if (blind.length > 0) return blind
  return [finding(
    'discord.commands-missing', 'commands', 'none is registered.', 'Start the bot, which registers them, or run npm run deploy:commands.'
  )]
}

/** @param guildId `''`: for every server */
function compared(subject: string, there: readonly APIApplicationCommand[], entries: readonly Entry['data'][], guildId: string): Finding {
  const { created: missing, changed, deleted: extra } = differenceOf(there, entries, guildId === '')
  const parts = [['not registered', missing], ['different', changed], ['not ours', extra]] as const
  const said = parts.flatMap(([what, names]) => (names.length === 0 ? [] : [`${what}: ${names.join(', ')}`]))
  if (said.length === 0) return finding('discord.commands', subject, `all ${entries.length} are registered as they are here.`)
  const how = guildId === '' ? 'npm run deploy:commands' : `npm run deploy:commands -- --guild ${guildId}`
  return finding(
    'discord.commands-different', subject, `${said.join('; ')}.`, `Start the bot again, which sends what differs, or run ${how}.`,
    { evidence: { missing, changed, extra } }
  )
}

function unseen(subject: string, reason: string): Finding {
  return finding(
    'discord.commands-unseen', subject, `could not be looked at (${reason}).`, 'Run the doctor again in a moment.', { evidence: { reason } }
  )
}
