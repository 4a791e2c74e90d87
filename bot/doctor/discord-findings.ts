import { ApplicationFlags, PermissionFlagsBits } from 'discord.js'
import type { Entry } from '../discord/command.ts'
import { commandFindings } from './command-findings.ts'
import { PORTAL, discordFault } from './discord-fault.ts'
import { finding } from './finding.ts'
import type { Finding } from './finding.ts'
import type { DiscordSeen, ServerSeen } from './see-discord.ts'

/**
 * The link to Discord: token, intents, permissions, commands.
 * @param entries the bot's own commands
 * @param hasApiUrl DISCORD_API_URL is set
 */
export function discordFindings(seen: DiscordSeen, entries: readonly Entry['data'][], hasApiUrl: boolean): Finding[] {
  if (seen.token !== 'valid') return [discordFault(seen, hasApiUrl), UNSEEN]
  const { application, servers } = seen
  const { id, name } = application
  return [
    finding(
      'discord.token', 'DISCORD_TOKEN', `belongs to the application ${name} (${id}).`, undefined,
      { evidence: { applicationId: id, name } }
    ),
    intentFinding(application.flags),
    ...serverFindings(servers),
    ...commandFindings(seen, entries)
  ]
}

const UNSEEN = finding(
  'discord.unseen', 'discord', 'intents, permissions and commands could not be looked at.',
  'Mend the token or the connection first, and run the doctor again.'
)

function intentFinding(flags: number): Finding {
  const isGranted = (flags & (ApplicationFlags.GatewayMessageContent | ApplicationFlags.GatewayMessageContentLimited)) !== 0
  if (isGranted) return finding('discord.intent', 'intents', 'Message Content is granted.')
  return finding(
    'discord.intent-missing', 'intents', 'Message Content is not granted: /read can’t be used, everything else works.',
    `For /read, switch on "Message Content Intent": ${PORTAL}; then start the bot again.`
  )
}

/** The names of README's step 1. */
const NEEDED = {
  ViewChannel: 'View Channels',
  SendMessages: 'Send Messages',
  AttachFiles: 'Attach Files',
  SendVoiceMessages: 'Send Voice Messages',
  Connect: 'Connect',
  Speak: 'Speak'
} as const
const FOR_READ = { ReadMessageHistory: 'Read Message History', SendMessagesInThreads: 'Send Messages in Threads' } as const

function serverFindings(servers: Extract<DiscordSeen, { token: 'valid' }>['servers']): Finding[] {
  if (!servers.seen) {
    return [finding(
      'discord.permissions-unseen', 'servers', `could not be looked at (${servers.reason}).`, 'Run the doctor again in a moment.',
      { evidence: { reason: servers.reason } }
    )]
  }
  const { first, count } = servers.value
  if (count === 0) {
    return [finding(
      'discord.no-server', 'servers', 'the bot exists, and is in no server.',
      'Invite it with the address of README, "The Discord application", step 3.'
    )]
  }
  const more = count > first.length ? [finding(
    'discord.servers-more', 'servers', `the first ${first.length} of ${count === 200 ? '200 or more' : count} were looked at.`
  )] : []
  return [...first.map(permissionFinding), ...more]
}

function permissionFinding({ id, name, permissions }: ServerSeen): Finding {
  const may = (right: keyof typeof PermissionFlagsBits) => (permissions & (PermissionFlagsBits[right] | PermissionFlagsBits.Administrator)) !== 0n
  const missingOf = (rights: Partial<Record<keyof typeof PermissionFlagsBits, string>>) =>
    Object.entries(rights).flatMap(([right, label]) => (may(right as keyof typeof PermissionFlagsBits) ? [] : [label]))
  const missing = missingOf(NEEDED)
  const stages = may('RequestToSpeak') || may('MuteMembers') ? [] : ['Request to Speak']
  const partly = [...missingOf(FOR_READ), ...stages]
  const subject = `server ${name}`
  if (missing.length > 0) {
    return finding(
      'discord.permissions-missing', subject, `the bot lacks ${[...missing, ...partly].join(', ')}.`,
      'Give them to the bot’s role in the server’s settings.', { evidence: { guildId: id, missing: [...missing, ...partly] } }
    )
  }
  if (partly.length > 0) {
    return finding(
      'discord.permissions-partly', subject, `the bot lacks ${partly.join(', ')}, which /read or stages want.`,
      'Give them to the bot’s role when you use /read or stages there.', { evidence: { guildId: id, missing: partly } }
    )
  }
  return finding(
    'discord.permissions', subject, 'the bot has all permissions, as far as its channels don’t take them away.', undefined,
    { evidence: { guildId: id } }
  )
}
