import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { Manifest, ManifestError, covers, readManifest, serviceOf } from './manifest.ts'

const folder = mkdtempSync(join(tmpdir(), 'voxpool-manifest-'))
const file = join(folder, 'services.json')

afterAll(() => rmSync(folder, { recursive: true }))

function faultsOf(manifest: unknown): readonly string[] {
  writeFileSync(file, typeof manifest === 'string' ? manifest : JSON.stringify(manifest))
  try {
    readManifest(file)
    return []
  } catch (error) {
    if (error instanceof ManifestError) return error.faults
    throw error
  }
}

const chat = { path: '/v1/chat/completions', smoke: [{ path: '/v1/chat/completions', method: 'POST', body: {} }] }

describe('the manifest', () => {
  it('is an empty one where there is no file, unless one was named', () => {
    expect(readManifest(undefined)).toEqual({ services: [], sites: [] })
    expect(() => readManifest(join(folder, 'missing.json'))).toThrow(ManifestError)
  })

  it('has defaults for all but the path and how to test it', () => {
    const [service] = Manifest.parse({ services: [chat] }).services
    expect(service).toMatchObject({
      methods: ['GET', 'HEAD', 'POST'],
      access: 'key',
      limits: { connectMs: 3_000, firstByteMs: 15_000, silenceMs: 30_000, totalMs: 600_000, bodyMaxBytes: 10_485_760, concurrency: 8, waitingMax: 16, waitMs: 5_000 }
    })
  })

  it('refuses a public path without smoke paths, and says so', () => {
    const none = /^SERVICES_FILE \(.*services\.json\): services\.0\.smoke: a public path needs at least one smoke path, which shows whether it works$/
    for (const service of [{ path: '/v1/x' }, { path: '/v1/x', smoke: [] }]) expect(faultsOf({ services: [service] })).toEqual([expect.stringMatching(none)])
    expect(faultsOf({ services: [{ path: '/v1/x', smoke: 'GET /v1/x' }] })).toEqual([expect.stringMatching(/smoke: .*expected array/)])
  })

  it('refuses sites whose folder is missing, and names each', () => {
    symlinkSync('loop', join(folder, 'loop'))
    const sites = ['', '{name}', 'services.json', 'none/{name}', 'loop'].map((root, index) => ({ host: '{name}.x', base: `/${index}/`, kind: 'app', root: join(folder, root) }))
    expect(faultsOf({ sites })).toEqual([
      `SERVICES_FILE (${file}): sites.2.root: there is no folder ${file}`,
      `SERVICES_FILE (${file}): sites.3.root: there is no folder ${join(folder, 'none')}`,
      `SERVICES_FILE (${file}): sites.4.root: the folder ${join(folder, 'loop')} can't be looked at: ELOOP`
    ])
  })

  it('refuses a site with a word that it does not know, one that stands there twice, and one in the place of the bot’s own paths', () => {
    const site = (more: object) => ({ host: '*', kind: 'app', root: folder, ...more })
    expect(faultsOf({ sites: [site({ bsae: '/app/' })] }).join()).toContain('sites.0: Unrecognized key')
    expect(faultsOf({ sites: [site({}), site({ base: '/a/' }), site({ base: '/' })] }).join()).toContain('sites.2.host: * with the base / stands here twice')
    expect(faultsOf({ sites: [site({ base: '/api/' }), site({ base: '/docs/' })] })).toEqual([`SERVICES_FILE (${file}): sites.0.base: /api is the bot's own`])
  })

  it('names every fault at once', () => {
    const faults = faultsOf({
      services: [
        { ...chat, path: 'v1/x' },
        { ...chat, limits: { firstByteMs: 0, concurrency: 1.5 } },
        { ...chat, smokes: [] },
        { ...chat, access: 'everyone' },
        chat
      ]
    })
    for (const each of ['services.0.path', 'services.1.limits.firstByteMs', 'services.1.limits.concurrency', 'services.2: ', 'services.3.access']) expect(faults.join('\n')).toContain(each)
    expect(faultsOf('{"services": [')).toHaveLength(1)
    expect(faultsOf({ service: [] })).toHaveLength(1)
  })

  it('names them whatever else is wrong with the other entries', () => {
    const faults = faultsOf({
      services: [
        { ...chat, limits: { firstByteMs: 0 } },
        { path: '/*', smoke: [{ path: '/x' }] },
        { path: '/v1/audio/speech', smoke: [{ path: '/v1/audio/speech' }] },
        { path: '/v1/x', methods: ['POST'], smoke: [{ path: '/v1/y' }] }
      ],
      sites: [{ host: '*', base: '/api/', kind: 'app', root: folder }, { host: '*', kind: 'app', root: join(folder, 'none') }, { host: '*', kind: 'none', root: join(folder, 'none') }]
    })
    expect(faults.map((fault) => /: ([a-z\d.A-Z]+): /.exec(fault)?.[1]).sort()).toEqual([
      'services.0.limits.firstByteMs', 'services.1.path', 'services.2.path', 'services.3.smoke.0.method', 'services.3.smoke.0.path', 'sites.0.base', 'sites.1.root', 'sites.2.kind'
    ])
  })

  it.each([
    ['twice', [chat, chat], 'stands here twice'],
    ['of the bot’s own', [{ ...chat, path: '/v1/audio/speech', smoke: [{ path: '/v1/audio/speech' }] }], 'is the bot\'s own'],
    ['with a smoke path elsewhere', [{ ...chat, smoke: [{ path: '/v1/models' }] }], 'is not below'],
    ['with a smoke path that the entry refuses', [{ path: '/v1/x/*', smoke: [{ path: '/v1/x/../y' }] }], 'is not below'],
    ['with a smoke path of another service', [{ path: '/v1/x/*', smoke: [{ path: '/v1/x/y?z=1' }] }, { path: '/v1/x/y', smoke: [{ path: '/v1/x/y' }] }], 'belongs to /v1/x/y'],
    ['with a smoke path by a method that it does not take', [{ path: '/v1/x', methods: ['POST'], smoke: [{ path: '/v1/x' }] }], 'GET is none of the methods of /v1/x'],
    ['that climbs', [{ ...chat, path: '/v1/../x' }], 'expected a path'],
    ['with a star in the middle', [{ ...chat, path: '/v1/*/x' }], 'expected a path']
  ])('refuses a path %s', (_, services, reason) => {
    expect(faultsOf({ services }).join()).toContain(reason)
  })
})

describe('the service of a path', () => {
  const services = Manifest.parse({
    services: ['/v1/*', '/v1/images/*', '/v1/images/generations', '/exact'].map((path) => ({ path, smoke: [{ path: path.replace('*', 'x') }] }))
  }).services
  const nameOf = (path: string) => serviceOf(services, path)?.path

  it('is the exact one, else the longest that covers it', () => {
    expect(['/v1/images/generations', '/v1/images/edits', '/v1/other/x', '/exact', '/exact/x', '/v1', '/v1/', '/V1/x', '/v1images/x'].map(nameOf)).toEqual([
      '/v1/images/generations', '/v1/images/*', '/v1/*', '/exact', undefined, undefined, '/v1/*', undefined, undefined
    ])
  })

  it('a star covers all below, and nothing beside', () => {
    expect([covers('/a/*', '/a/b/c'), covers('/a/*', '/a/'), covers('/a/*', '/a'), covers('/a/*', '/ab/c'), covers('/a', '/a/b'), covers('/*', '/')]).toEqual([true, true, false, false, false, true])
  })
})
