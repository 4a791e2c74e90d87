import { finding } from './finding.ts'
import type { Finding } from './finding.ts'
import type { DiscordSeen } from './see-discord.ts'

type Unseen = Exclude<DiscordSeen, { token: 'valid' }>

export const PORTAL = 'Discord Developer Portal, your application, "Bot"'

/** Why Discord did not say which application the bot is. @param hasApiUrl DISCORD_API_URL is set */
export function discordFault(seen: Unseen, hasApiUrl: boolean): Finding {
  switch (seen.token) {
    case 'missing':
      return finding(
        'discord.token-missing', 'DISCORD_TOKEN', 'is not set: there is no bot without it, only a rehearsal.',
        `Set DISCORD_TOKEN: ${PORTAL}, "Reset Token".`
      )
    case 'wrong':
      return finding('discord.token-wrong', 'DISCORD_TOKEN', 'is not a token that Discord knows.', `Copy it anew: ${PORTAL}, "Reset Token".`)
    case 'notDiscord':
      return hasApiUrl
        ? finding(
            'discord.not-discord', 'DISCORD_API_URL', 'what answers there is not Discord’s API.',
            'Take DISCORD_API_URL away, or set it to an address of the API.'
          )
        : finding(
            'discord.not-discord', 'discord', 'what answers in its place is not Discord’s API.',
            'See what stands between this machine and discord.com: a proxy, or a network that wants a login first.'
          )
    case 'refused':
      return refused(seen, hasApiUrl)
    case 'unreachable':
      return finding(
        'discord.unreachable', 'discord', `can’t be reached (${seen.reason}).`,
        'See whether this machine has a way out, and https://discordstatus.com.', { evidence: { reason: seen.reason } }
      )
  }
}

function refused({ status, waitSec }: Extract<Unseen, { token: 'refused' }>, hasApiUrl: boolean): Finding {
  const evidence = { status, ...(waitSec !== undefined && { waitSec }) }
  const message = status >= 500 ? `can’t answer for now (status ${status}).` : `refuses this machine for now (status ${status}).`
  return finding('discord.unreachable', 'discord', message, `${nextOf(status, waitSec)}${hasApiUrl ? ' See what answers at DISCORD_API_URL, too.' : ''}`, { evidence })
}

function nextOf(status: number, waitSec: number | undefined): string {
  if (status === 403) return 'Try from another network: Discord refuses the address of this machine, as it does with some of hosting providers.'
  if (status === 429) return `Wait for ${waitSec === undefined ? 'some minutes' : duration(waitSec)}, and run the doctor again: too many calls came from this machine’s address, or with this token.`
  return 'Run the doctor again in a minute; https://discordstatus.com says whether Discord is well.'
}

const duration = (seconds: number) => (seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`)
