import type { Clock } from '../core/clock.ts'
import { readConfig } from '../core/config.ts'
import type { Config } from '../core/config.ts'
import type { Entry } from '../discord/command.ts'
import { ManifestError, readManifest } from '../entry/services/manifest.ts'
import type { Service } from '../entry/services/manifest.ts'
import { discordFindings } from './discord-findings.ts'
import { finding } from './finding.ts'
import type { Finding } from './finding.ts'
import { nodeFindings } from './node-findings.ts'
import { carrierOf } from './registry-carrier.ts'
import { registryFindings } from './registry-findings.ts'
import { reportOf } from './report.ts'
import type { Report } from './report.ts'
import { seeDiscord } from './see-discord.ts'
import { seeNodes } from './see-nodes.ts'
import { seeRegistry } from './see-registry.ts'
import { seeServices } from './see-services.ts'
import { manifestFindings, serviceFindings, unusedFindings } from './service-findings.ts'
import { settingsFindings } from './settings-findings.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Follows the chain: settings, Discord, registry, nodes, services. Writes nothing, logs in nowhere and opens no database: the bot may run meanwhile.
 * Takes 50 s at most. Never rejects for what it meets.
 * @param env the settings, as the bot is given them
 * @param entries the bot's own commands
 */
export async function examine(env: Environment, { clock, entries }: { clock: Clock; entries: readonly Entry['data'][] }): Promise<Report> {
  const read = readConfig(env)
  const settings = settingsFindings(read, (name) => (env[name] ?? '').trim() !== '')
  const manifest = servicesOf(env)
  if (!read.ok) return reportOf([...settings, ...BLIND, ...(manifest.services?.length === 0 ? [] : [SERVICES_UNSEEN]), ...manifest.faults], secretsOf(env))
  const [discord, pool] = await Promise.all([seeDiscord(read.config, clock), examinePool(read.config, manifest.services, clock)])
  return reportOf([...settings, ...discordFindings(discord, entries, read.config.DISCORD_API_URL !== undefined), ...pool, ...manifest.faults], secretsOf(env))
}

/** The registry, the nodes of its list, and what they serve beside speech. */
async function examinePool(config: Config, services: readonly Service[] | undefined, clock: Clock): Promise<Finding[]> {
  const seen = await seeRegistry(config, clock)
  const registry = registryFindings(seen, config.REGISTRY_KEY !== undefined)
  if (seen.state !== 'listed') return [...registry, NODES_UNSEEN, ...serviceFindings(await seeServices(services ?? [], config, clock), undefined)]
  const { servers, nowMs } = seen.list
  const [nodes, asked] = await Promise.all([seeNodes(servers, nowMs, config, clock), seeServices(services ?? [], config, clock)])
  const unused = services === undefined ? [] : unusedFindings(services, seen.list)
  return [...registry, ...nodeFindings(nodes, config.NODE_KEY !== undefined), ...serviceFindings(asked, { servers, nowMs, carrier: carrierOf(seen) }), ...unused]
}

/** What the manifest makes public, undefined where it can't be used; its faults are findings. */
function servicesOf({ SERVICES_FILE = '' }: Environment): { services: readonly Service[] | undefined; faults: Finding[] } {
  try {
    return { services: readManifest(SERVICES_FILE.trim() === '' ? undefined : SERVICES_FILE.trim()).services, faults: [] }
  } catch (error) {
    if (error instanceof ManifestError) return { services: undefined, faults: manifestFindings(error.faults) }
    throw error
  }
}

const NODES_UNSEEN = finding(
  'nodes.unseen', 'nodes', 'could not be looked at: there is no list of them.', 'Mend the registry first, and run the doctor again.'
)

const SERVICES_UNSEEN = finding('services.unseen', 'services', 'could not be looked at.', 'Mend the settings first, and run the doctor again.')

const BLIND = [
  finding('discord.unseen', 'discord', 'could not be looked at.', 'Mend the settings first, and run the doctor again.'),
  finding('registry.unseen', 'registry', 'could not be looked at.', 'Mend the settings first, and run the doctor again.'),
  finding('nodes.unseen', 'nodes', 'could not be looked at.', 'Mend the settings first, and run the doctor again.')
]

const secretsOf = (env: Environment) =>
  ['DISCORD_TOKEN', 'REGISTRY_KEY', 'NODE_KEY'].flatMap((name) => (env[name] === undefined ? [] : [env[name].trim()]))
