/** `unseen`: it could not be looked at, because an earlier link broke or did not answer; that is neither well nor broken. */
export type Level = 'ok' | 'note' | 'warning' | 'broken' | 'unseen'

/** The links of the chain, in its order. */
export const AREAS = ['settings', 'discord', 'registry', 'nodes', 'services'] as const
export type Area = (typeof AREAS)[number]

/** Every finding there is, with its level; docs/doctor.md has a line for each. A node's warning is `broken` when no node can speak. */
export const FINDINGS = {
  'settings.ok': 'ok',
  'settings.fault': 'broken',
  'settings.unknown': 'warning',
  'discord.token': 'ok',
  'discord.token-missing': 'broken',
  'discord.token-wrong': 'broken',
  'discord.unreachable': 'broken',
  'discord.not-discord': 'broken',
  'discord.unseen': 'unseen',
  'discord.intent': 'ok',
  'discord.intent-missing': 'warning',
  'discord.no-server': 'warning',
  'discord.servers-more': 'note',
  'discord.permissions': 'ok',
  'discord.permissions-missing': 'warning',
  'discord.permissions-partly': 'note',
  'discord.permissions-unseen': 'unseen',
  'discord.commands': 'ok',
  'discord.commands-missing': 'broken',
  'discord.commands-different': 'warning',
  'discord.commands-doubled': 'warning',
  'discord.commands-unseen': 'unseen',
  'registry.ok': 'ok',
  'registry.not-running': 'unseen',
  'registry.elsewhere': 'broken',
  'registry.unreachable': 'broken',
  'registry.silent': 'broken',
  'registry.login': 'broken',
  'registry.no-function': 'broken',
  'registry.limits': 'warning',
  'registry.page': 'broken',
  'registry.busy': 'warning',
  'registry.failed': 'broken',
  'registry.key-wrong': 'broken',
  'registry.open': 'warning',
  'registry.bad-rows': 'warning',
  'registry.version': 'ok',
  'registry.old': 'warning',
  'registry.version-unseen': 'unseen',
  'registry.clock': 'ok',
  'registry.clock-differs': 'warning',
  'registry.clock-wrong': 'broken',
  'registry.usage': 'ok',
  'registry.usage-high': 'warning',
  'registry.usage-none': 'note',
  'registry.usage-unseen': 'unseen',
  'registry.unseen': 'unseen',
  'nodes.none': 'broken',
  'nodes.usable': 'ok',
  'nodes.none-usable': 'broken',
  'nodes.unseen': 'unseen',
  'node.disabled': 'note',
  'node.left': 'note',
  'node.no-address': 'warning',
  'node.stale': 'warning',
  'node.host-not-allowed': 'warning',
  'node.unresolved': 'warning',
  'node.unreachable': 'warning',
  'node.tunnel-gone': 'warning',
  'node.silent': 'warning',
  'node.failed': 'warning',
  'node.not-node': 'warning',
  'node.not-ready': 'warning',
  'node.key-wrong': 'warning',
  'node.busy': 'note',
  'node.mute': 'warning',
  'node.log-missing': 'warning',
  'node.log-none': 'note',
  'node.log-unseen': 'unseen',
  'node.ok': 'ok',
  'node.unseen': 'unseen',
  'node.name-unseen': 'unseen',
  'services.manifest': 'broken',
  'services.not-public': 'note',
  'services.not-running': 'unseen',
  'services.elsewhere': 'broken',
  'services.unseen': 'unseen',
  'service.ok': 'ok',
  'service.unknown': 'broken',
  'service.no-node': 'broken',
  'service.node-away': 'broken',
  'service.disabled': 'warning',
  'service.failed': 'broken',
  'service.silent': 'broken',
  'service.wrong-status': 'broken',
  'service.busy': 'warning',
  'service.unseen': 'unseen'
} as const satisfies Record<string, Level>

export type FindingId = keyof typeof FINDINGS

/** What was measured or read: never a key, a token, or what somebody wrote. */
export type Evidence = Readonly<Record<string, string | number | boolean | null | readonly string[]>>

export interface Finding {
  id: FindingId
  area: Area
  level: Level
  /** What it is about: a setting, a server, a node; the area's own name when it is about all of it. */
  subject: string
  message: string
  /** One plain sentence. */
  nextStep: string
  evidence: Evidence
}

export const NOTHING_TO_DO = 'Nothing to do.'

export function finding(id: FindingId, subject: string, message: string, nextStep: string = NOTHING_TO_DO, more: { evidence?: Evidence } = {}): Finding {
  return { id, area: areaOf(id), level: FINDINGS[id], subject, message, nextStep, evidence: more.evidence ?? {} }
}

function areaOf(id: FindingId): Area {
  return AREAS.find((area) => id.startsWith(`${area}.`)) ?? (id.startsWith('service.') ? 'services' : 'nodes')
}
