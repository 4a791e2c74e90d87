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

const EVERY_PATH = 'every path would be too much: the status page, the documentation and the sites are there too. Name what it serves, such as /v1/chat/*'

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
}).superRefine(({ path, methods, smoke }, context) => {
  // That it is no path is told already; nothing is below it, then.
  if (!ServedPath.safeParse(path).success) return
  const refuse = (message: string, ...at: (string | number)[]) => context.addIssue({ code: 'custom', path: at, message })
  if (path === '/*') refuse(EVERY_PATH, 'path')
  const own = ownLabelOf(path)
  if (own !== undefined) refuse(`${own} is the bot's own`, 'path')
  smoke.forEach((each, at) => {
    const target = requestTarget(each.path)
    if (!target.ok || !covers(path, target.path)) refuse(`${each.path} is not below ${path}`, 'smoke', at, 'path')
    if (!methods.includes(each.method)) refuse(`${each.method} is none of the methods of ${path}`, 'smoke', at, 'method')
  })
})
export type Service = z.infer<typeof Service>

const OwnSite = Site.superRefine(({ base }, context) => {
  const own = ownLabelOf(base)
  if (own !== undefined && !OWN_SITES.includes(own)) context.addIssue({ code: 'custom', path: ['base'], message: `${own} is the bot's own` })
})

/** `services.json`: all that is public beside the bot's own paths, each in one entry. What is wrong between entries is told once each of them is well shaped. */
export const Manifest = z
  .strictObject({ services: z.array(Service).max(200).default([]), sites: z.array(OwnSite).max(1_000).default([]) })
  .superRefine(({ services, sites }, context) => {
    const refuse = (message: string, ...at: (string | number)[]) => context.addIssue({ code: 'custom', path: at, message })
    sites.forEach(({ host, base }, index) => {
      if (sites.findIndex((other) => other.host === host && other.base === base) !== index) refuse(`${host} with the base ${base} stands here twice`, 'sites', index, 'host')
    })
    services.forEach(({ path, smoke }, index) => {
      if (services.findIndex((other) => other.path === path) !== index) refuse(`${path} stands here twice`, 'services', index, 'path')
      smoke.forEach((each, at) => {
        const target = requestTarget(each.path)
        const answering = target.ok && covers(path, target.path) ? serviceOf(services, target.path)?.path : path
        if (answering !== path) refuse(`${each.path} belongs to ${String(answering)}, which stands here too`, 'services', index, 'smoke', at, 'path')
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
  const issues = parsed.error?.issues.map(({ path, message }) => `${path.join('.')}${path.length > 0 ? ': ' : ''}${message}`) ?? []
  const faults = [...issues, ...rootFaults(given)]
  if (!parsed.success || faults.length > 0) throw new ManifestError(file, faults)
  return parsed.data
}

const Sites = z.object({ sites: z.array(z.unknown()) })

/** Of the sites that are well shaped, whatever else is not. */
function rootFaults(given: unknown): string[] {
  const sites = Sites.safeParse(given).data?.sites ?? []
  return sites.flatMap((site, index) => {
    const { data } = OwnSite.safeParse(site)
    return data === undefined ? [] : folderFaults(folderOf(data.root)).map((fault) => `sites.${index}.root: ${fault}`)
  })
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
