import * as z from 'zod'
import { LOOPBACK_NAMES } from './loopback.ts'

const HOSTS_DEFAULT = '.trycloudflare.com,.ngrok-free.app,.ngrok-free.dev,.ngrok.app,.ngrok.io'
const text = z.string().trim().max(512)
// What contract 1 lets a key be: a longer one would fail every write.
const key = z.string().trim().max(256)
const address = z.url({ protocol: /^https?$/, error: 'expected an address that starts with http:// or https://' })
const list = z.string().transform((value) => value.split(',').map((part) => part.trim()).filter((part) => part !== ''))

/** The settings of README's table, by their names in the environment. */
const Settings = z.object({
  DISCORD_TOKEN: text.optional(),
  DISCORD_API_URL: address.optional(),
  ADMIN_USER_IDS: list.pipe(z.array(z.string().regex(/^\d{15,21}$/, 'expected Discord user ids, separated by commas'))).prefault(''),
  GAS_URL: address.optional(),
  REGISTRY_KEY: key.optional(),
  NODE_KEY: key.optional(),
  NODE_HOSTS: list
    .pipe(z.array(z.string().regex(/^\.?[A-Za-z0-9[\]:-]+(?:\.[A-Za-z0-9-]+)*$/, 'expected host names, separated by commas')))
    .prefault(HOSTS_DEFAULT),
  DATA_DIR: text.default('./data'),
  HTTP_HOST: text.default('127.0.0.1'),
  HTTP_PORT: z
    .string()
    .regex(/^\d{1,5}$/, 'expected a port number, 0 to 65535')
    .transform(Number)
    .pipe(z.number().max(65_535, 'expected a port number, 0 to 65535'))
    .prefault('8788'),
  /** An origin: the page and its paths stand at its root, whatever proxy is before it. */
  ENTRY_URL: address
    .refine((value) => isOrigin(value), 'expected an address without a path, such as https://voice.example.org')
    .transform((value) => value.replace(/\/$/, ''))
    .optional(),
  SERVICES_FILE: text.optional(),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'expected trace, debug, info, warn, error, fatal or silent'
    })
    .default('info')
})

function isOrigin(value: string): boolean {
  // Something that is no address at all has been named by then.
  if (!URL.canParse(value)) return true
  const { pathname, search, hash, username, password } = new URL(value)
  return pathname === '/' && search + hash + username + password === ''
}

/** The embedded registry without a key tells friend from stranger by one thing alone: they are on this machine. Behind a proxy or a tunnel everybody is. */
const isOpenToAll = ({ HTTP_HOST, ENTRY_URL, GAS_URL, REGISTRY_KEY }: z.infer<typeof Settings>) =>
  GAS_URL === undefined && REGISTRY_KEY === undefined && !([...LOOPBACK_NAMES, '::1'].includes(HTTP_HOST) && (ENTRY_URL === undefined || LOOPBACK_NAMES.includes(new URL(ENTRY_URL).hostname)))

export type Config = z.infer<typeof Settings>

export type ConfigResult = { ok: true; config: Config; warnings: string[] } | { ok: false; faults: string[]; warnings: string[] }

/**
 * Reads the settings. Every fault is named at once, each as `NAME: what is wrong`, without the value: it may be a secret.
 * An empty value counts as not set. A name that looks like one of ours but is not gets a warning.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): ConfigResult {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''))
  const parsed = Settings.safeParse(given)
  const warnings = misspelt(Object.keys(given))
  if (!parsed.success) {
    return { ok: false, faults: parsed.error.issues.map(({ path, message }) => `${String(path[0])}: ${message}`), warnings }
  }
  if (isOpenToAll(parsed.data)) {
    return { ok: false, faults: ['REGISTRY_KEY: needed when HTTP_HOST or ENTRY_URL is not this machine alone, since the embedded registry could be written by anybody'], warnings }
  }
  return { ok: true, config: parsed.data, warnings }
}

function misspelt(names: readonly string[]): string[] {
  const known = Object.keys(Settings.shape)
  const warnings: string[] = []
  for (const name of names) {
    if (known.includes(name)) continue
    const meant = known.find((ours) => distance(name.toUpperCase(), ours) <= 2)
    if (meant !== undefined) warnings.push(`${name} is not a setting; did you mean ${meant}?`)
  }
  return warnings
}

/** Levenshtein distance, for names of a few dozen characters. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(change, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    previous = row
  }
  return previous[b.length] ?? 0
}
