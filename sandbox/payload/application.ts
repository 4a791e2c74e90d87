import { ApplicationFlags, GatewayIntentBits } from 'discord-api-types/v10'

const PRIVILEGED: readonly (readonly [intent: number, flag: number])[] = [
  [GatewayIntentBits.GuildPresences, ApplicationFlags.GatewayPresenceLimited],
  [GatewayIntentBits.GuildMembers, ApplicationFlags.GatewayGuildMembersLimited],
  [GatewayIntentBits.MessageContent, ApplicationFlags.GatewayMessageContentLimited]
]

/** The application's flags: which of the privileged intents its owner has switched on, as of a bot in few servers. */
export function applicationFlags(disallowedIntents: number): number {
  return PRIVILEGED.reduce((flags, [intent, flag]) => (disallowedIntents & intent ? flags : flags | flag), 0)
}
