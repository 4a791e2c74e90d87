import { readFileSync, statSync } from 'node:fs'
import * as z from 'zod'
import { ServedPath } from '../../wire/fields.ts'
import { requestTarget } from '../forward/request-target.ts'
import { OWN_SITES, ownLabelOf } from '../own-paths.ts'
import { Site, folderOf } from '../sites/site.ts'

const Ms = z.int().min(1).max(3_600_000)

/** What shows that a service works: asked of the entry itself, as a caller would. */
const Smoke = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET'),
  path: z.string().regex(/^\/[\x21-\x7e]*$/, 'expected a path'),
  /** Sent as JSON. */
  body: z.json().optional(),
  /** What it has to answer. */
  status: z.int().min(200).max(599).default(200)
})
export type Smoke = z.infer<typeof Smoke>

const NO_SMOKE = 'a public path needs at least one smoke path, which shows whether it works'

/** One service of the entry: nodes that registered its path answer it. */
const Service = z.strictObject({
  path: ServedPath,
  methods: z.array(z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])).min(1).default(['GET', 'HEAD', 'POST']),
  /** Without one nobody could say whether it works. */
  smoke: z.array(Smoke, { error: (issue) => (issue.input === undefined ? NO_SMOKE : undefined) }).min(1, NO_SMOKE),
  limits: z
    .strictObject({
      connectMs: Ms.default(3_000),
      firstByteMs: Ms.default(15_000),
      silenceMs: Ms.default(30_000),
      totalMs: Ms.default(600_000),
      bodyMaxBytes: z.int().min(0).max(1024 * 1024 * 1024).default(10 * 1024 * 1024),
      /** Of each node. */
      concurrency: z.int().min(1).max(1_000).default(8),
      waitingMax: z.int().min(0).max(10_000).default(16),
      waitMs: Ms.default(5_000),
      webSockets: z.int().min(0).max(10_000).default(32),
      /** A WebSocket over which nothing has come for so long is closed. */
      webSocketSilenceMs: Ms.default(120_000)
    })
    .prefault({}),
  /** `key`: callers show an API key, except from this machine; `anyone` asks for none. */
  access: z.enum(['key', 'anyone']).default('key')
})
export type Service = z.infer<typeof Service>

/** `services.json`: all that is public beside the bot's own paths, each in one entry. */
export const Manifest = z
  .strictObject({ services: z.array(Service).max(200).default([]), sites: z.array(Site).max(1_000).default([]) })
  .superRefine(({ services, sites }, context) => {
    sites.forEach(({ host, base }, index) => {
      const refuse = (field: string, message: string) => context.addIssue({ code: 'custom', path: ['sites', index, field], message })
      if (sites.findIndex((other) => other.host === host && other.base === base) !== index) refuse('host', `${host} with the base ${base} stands here twice`)
      const own = ownLabelOf(base)
      if (own !== undefined && !OWN_SITES.includes(own)) refuse('base', `${own} is the bot's own`)
    })
    services.forEach(({ path, methods, smoke }, index) => {
      const clash = services.findIndex((other) => other.path === path)
      if (clash !== index) context.addIssue({ code: 'custom', path: ['services', index, 'path'], message: `${path} stands here twice` })
      if (path === '/*') context.addIssue({ code: 'custom', path: ['services', index, 'path'], message: 'every path would be too much: the status page, the documentation and the sites are there too. Name what it serves, such as /v1/chat/*' })
      const own = ownLabelOf(path)
      if (own !== undefined) context.addIssue({ code: 'custom', path: ['services', index, 'path'], message: `${own} is the bot's own` })
      smoke.forEach((each, at) => {
        const refuse = (field: string, message: string) => context.addIssue({ code: 'custom', path: ['services', index, 'smoke', at, field], message })
        const target = requestTarget(each.path)
        if (!target.ok || !covers(path, target.path)) refuse('path', `${each.path} is not below ${path}`)
        else if (serviceOf(services, target.path)?.path !== path) refuse('path', `${each.path} belongs to ${String(serviceOf(services, target.path)?.path)}, which stands here too`)
        if (!methods.includes(each.method)) refuse('method', `${each.method} is none of the methods of ${path}`)
      })
    })
  })
export type Manifest = z.infer<typeof Manifest>

/** The manifest can't be used: `faults` are lines that name each reason. */
export class ManifestError extends Error {
  readonly faults: readonly string[]

  constructor(file: string, faults: readonly string[]) {
    super(`SERVICES_FILE (${file}) can't be used`)
    this.faults = faults.map((fault) => `SERVICES_FILE (${file}): ${fault}`)
  }
}

const FILE_DEFAULT = './services.json'

/**
 * Reads the manifest. A file that is not there is an empty one, unless it was named.
 * @throws ManifestError with every fault at once, as `SERVICES_FILE (services.json): services.0.smoke: what is wrong`
 */
export function readManifest(named: string | undefined): Manifest {
  const file = named ?? FILE_DEFAULT
  let given: unknown
  try {
    given = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (named === undefined && error instanceof Error && 'code' in error && error.code === 'ENOENT') return Manifest.parse({})
    throw new ManifestError(file, [error instanceof Error ? error.message : String(error)])
  }
  const parsed = Manifest.safeParse(given)
  if (!parsed.success) throw new ManifestError(file, parsed.error.issues.map(({ path, message }) => `${path.join('.')}${path.length > 0 ? ': ' : ''}${message}`))
  const faults = parsed.data.sites.flatMap(({ root }, index) => folderFaults(folderOf(root)).map((fault) => `sites.${index}.root: ${fault}`))
  if (faults.length > 0) throw new ManifestError(file, faults)
  return parsed.data
}

function folderFaults(folder: string): string[] {
  try {
    return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? [] : [`there is no folder ${folder}`]
  } catch (error) {
    return [`the folder ${folder} can't be looked at: ${error instanceof Error && 'code' in error ? String(error.code) : 'unknown'}`]
  }
}

/** Whether a path is one of a pattern: the same, or below it where it ends with `/*`. */
export function covers(pattern: string, path: string): boolean {
  return pattern === path || (pattern.endsWith('/*') && path.startsWith(pattern.slice(0, -1)))
}

/** The service of a path: the exact one, else the longest that covers it. */
export function serviceOf(services: readonly Service[], path: string): Service | undefined {
  let best: Service | undefined
  for (const service of services) {
    if (service.path === path) return service
    if (covers(service.path, path) && service.path.length > (best?.path.length ?? 0)) best = service
  }
  return best
}
