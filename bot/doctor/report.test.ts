import { describe, expect, it } from 'vitest'
import { clockFinding } from './clock-finding.ts'
import { Manifest } from '../entry/services/manifest.ts'
import type { ServerRow } from '../wire/registry.ts'
import { discordFindings } from './discord-findings.ts'
import { finding } from './finding.ts'
import type { Finding } from './finding.ts'
import type { Carrier } from './registry-carrier.ts'
import { reportOf } from './report.ts'
import type { SmokeAnswer } from './see-services.ts'
import { serviceFindings } from './service-findings.ts'
import { textOf } from './text.ts'
import { usageFinding } from './usage-finding.ts'

const ok = finding('settings.ok', 'settings', 'well')
describe('a report', () => {
  it('is 0 for well and notes, 1 for warnings and what was not seen, 2 as soon as something is broken', () => {
    const of = (...ids: Parameters<typeof finding>[0][]) => reportOf([ok, ...ids.map((id) => finding(id, 'it', 'is so'))]).exitCode
    expect([of(), of('node.disabled'), of('node.stale'), of('nodes.unseen'), of('nodes.unseen', 'registry.page'), of('node.stale', 'nodes.none')]).toEqual([0, 0, 1, 1, 2, 2])
  })

  it('goes along the chain, whatever was looked at first', () => {
    const { findings } = reportOf([finding('node.ok', 'n', ''), finding('registry.ok', 'r', ''), finding('discord.token', 'd', ''), ok])
    expect(findings.map(({ area }) => area)).toEqual(['settings', 'discord', 'registry', 'nodes'])
  })

  it('holds no secret, wherever it stood', () => {
    const secret = 'a-secret-of-eight-or-more'
    const one = finding('registry.page', secret, `x ${secret}`, `y ${secret}`, { evidence: { page: `<p>${secret}`, list: [secret], number: 1 } })
    const report = reportOf([one], [secret, ''])
    expect(JSON.stringify(report)).not.toContain(secret)
    expect(report.findings[0]?.evidence).toEqual({ page: '<p>[hidden]', list: ['[hidden]'], number: 1 })
  })

  it('is text in which nothing from outside moves the cursor', () => {
    const text = textOf(reportOf([finding('discord.permissions', 'server \u001b[2J\n\u202Eevil', 'is well')]))
    expect(text).toBe('[ok]      server  [2J evil: is well (discord.permissions)\n\nAll well: 1 well.')
  })
})

describe('what the doctor makes of what was seen', () => {
  it('holds only that against a clock which the call’s own time can’t account for', () => {
    expect([clockFinding(35_000, 6_000), clockFinding(-37_000, 6_000), clockFinding(125_000, 6_000), clockFinding(-127_000, 6_000)].map(({ id }) => id)).toEqual([
      'registry.clock', 'registry.clock-differs', 'registry.clock-differs', 'registry.clock-wrong'
    ])
  })

  describe('of what the registry has used', () => {
    const HOUR_MS = 3_600_000
    /** 40 nodes at 30 s and a bot at 15 s for an hour, each call 5 s, each write 0.3 s. */
    const usual = { since: 0, calls: 5_040, busy: 0, ranMs: 25_200_000, heldMs: 1_512_000, propertyReads: 12 }
    const at = { host: 'script.google.com', nowMs: HOUR_MS }
    const of = (more: object) => usageFinding({ ...usual, ...more }, at)

    it('is the share of each limit', () => {
      const { id, level, evidence, message } = of({})
      expect([id, level, evidence]).toEqual(['registry.usage', 'ok', { calls: 5_040, hours: 1, atOnce: 7, heldShare: 0.42, busy: 0, propertiesPerDay: 288 }])
      expect(message).toBe('5040 calls in 60 min: on average 7 at once of 30, the sheet held 42 % of the time, 0 sent away as busy, 288 operations on properties a day of 50000.')
    })

    it.each([
      ['calls at once', { ranMs: 55_000_000 }],
      ['a lock that is held more than half of the time', { heldMs: 1_900_000 }],
      ['one call of fifty that is sent away', { busy: 100 }],
      ['properties that are read at each call', { propertyReads: 5_040 }]
    ])('is a warning at %s', (_, more) => expect(of(more)).toMatchObject({ id: 'registry.usage-high', level: 'warning' }))

    it('makes no day of the first call of a count, and no habit of two that were sent away', () => {
      expect(usageFinding({ since: HOUR_MS - 5, calls: 1, busy: 0, ranMs: 900, heldMs: 5, propertyReads: 1 }, at).id).toBe('registry.usage')
      expect(of({ calls: 20, busy: 2 }).id).toBe('registry.usage')
    })

    it('is not seen where a script of Google’s does not tell, and is none elsewhere', () => {
      expect([usageFinding(undefined, at), usageFinding(undefined, { ...at, host: 'bot.example.org' })].map(({ id, level }) => `${level} ${id}`)).toEqual(['unseen registry.usage-unseen', 'note registry.usage-none'])
    })
  })

  it('names DISCORD_API_URL only where it is set', () => {
    const told = (hasApiUrl: boolean) => [{ token: 'notDiscord' } as const, { token: 'refused', status: 403, waitSec: undefined } as const].map((seen) => {
      const [fault] = discordFindings(seen, [], hasApiUrl)
      return [fault?.id, JSON.stringify(fault).includes('DISCORD_API_URL')]
    })
    expect([told(true), told(false)]).toEqual([
      [['discord.not-discord', true], ['discord.unreachable', true]], [['discord.not-discord', false], ['discord.unreachable', false]]
    ])
  })

  const { services } = Manifest.parse({ services: [{ path: '/x/*', smoke: [{ path: '/x/y' }] }] })
  const of = (...answers: SmokeAnswer[]) => services.map((service) => ({
    service, smokes: answers.map((answer) => ({ smoke: { method: 'GET' as const, path: '/x/y', status: 200 }, requestId: 'test-1', tookMs: 1, answer }))
  }))
  const idsOf = (findings: readonly Finding[]) => findings.map(({ id }) => id)

  it.each([
    [{ by: 'node', status: 200 }, 'service.ok'],
    [{ by: 'entry', status: 503, code: 'busy' }, 'service.busy'],
    [{ by: 'entry', status: 504, code: 'upstream_timeout' }, 'service.silent'],
    [{ by: 'entry', status: 401, code: 'unauthorized' }, 'service.unseen'],
    // The entry's own word never shows that a service works, whatever status is wanted.
    [{ by: 'entry', status: 200, code: 'not_found' }, 'service.unknown'],
    [{ by: 'silent' }, 'service.silent'],
    [{ by: 'noTime' }, 'service.unseen'],
    [{ by: 'stranger' }, 'services.elsewhere'],
    [{ by: 'nobody' }, 'services.not-running']
  ] as const)('tells of a smoke path with the answer %j: %s', (answer, id) => {
    expect(idsOf(serviceFindings(of(answer), undefined))).toEqual([id])
  })

  it('does not call a service silent that may take longer than the doctor waits', () => {
    const told = (limits: object) => {
      const [service] = Manifest.parse({ services: [{ path: '/x/*', smoke: [{ path: '/x/y' }], limits }] }).services
      const [fault] = serviceFindings(of({ by: 'silent' }).map((seen) => ({ ...seen, service: service ?? seen.service })), undefined)
      return [fault?.level, fault?.id, fault?.message]
    }
    expect(told({ connectMs: 3_000, firstByteMs: 17_000 })).toEqual(['broken', 'service.silent', 'does not answer GET /x/y within 20 s.'])
    expect(told({ firstByteMs: 60_000 })).toEqual(['unseen', 'service.unseen', 'was not seen to answer GET /x/y: the doctor waits 20 s, and services.json lets it take 63 s.'])
  })

  it('does not call a bot away that ends while it is asked', () => {
    expect(idsOf(serviceFindings(of({ by: 'node', status: 200 }, { by: 'nobody' }), undefined))).toEqual(['service.unseen'])
  })

  it('calls a script too old to keep paths only where there is one', () => {
    const step = (carrier: Carrier) => serviceFindings(of({ by: 'entry', status: 503, code: 'unavailable' }), { servers: [], nowMs: 0, carrier })[0]?.nextStep
    expect([step('google'), step('bot')]).toEqual([expect.stringMatching(/deploy:gas/), 'Start a node with PATHS=/x/* and PATHS_URL (docs/services.md).'])
  })

  it('says of what serves a path whether it is there, switched off, or silent', () => {
    const row: ServerRow = {
      serverId: 'a', color: '', label: '', apiUrl: 'https://node.example.org', enabled: true, capacity: 1, concurrency: 1, paths: ['/x/*'], lastSeen: 100_000
    }
    const away = of({ by: 'entry', status: 503, code: 'unavailable' })
    const told = (...servers: ServerRow[]) => idsOf(serviceFindings(away, { servers, nowMs: 200_000, carrier: 'bot' }))
    expect([told(), told({ ...row, paths: ['/x'] }), told({ ...row, lastSeen: 0 }), told({ ...row, enabled: false }), told(row), idsOf(serviceFindings(away, undefined))]).toEqual([
      ['service.no-node'], ['service.no-node'], ['service.no-node'], ['service.disabled'], ['service.node-away'], ['service.unseen']
    ])
    const [silent] = serviceFindings(away, { servers: [row], nowMs: 200_000, carrier: 'bot' })
    const [fresh] = serviceFindings(away, { servers: [row, { ...row, enabled: false }], nowMs: 100_000, carrier: 'bot' })
    expect([silent?.message, fresh?.message]).toEqual(["what serves it can't be used now (a): it no longer beats.", "what serves it can't be used now (a, a)."])
  })
})
