import type { Usage } from '../bot/wire/registry.ts'
import type { CacheService as Cache, ContentService as Content, PropertiesService as Properties, TextOutput, WebEvent } from './apps-script.ts'
import type { Call } from './call.ts'
import { writeLog } from './log.ts'
import { refusalsToLog } from './refusals.ts'
import type { Event, Reply } from './registry.ts'
import { setUp, setUpText } from './screen.ts'
import { serve } from './serve.ts'
import { locked, sheetStore } from './store.ts'
import { countUse, used } from './usage.ts'

export { menuDisable, menuEnable, menuSetup, menuSweep, onOpen } from './menu.ts'

declare const CacheService: Cache
declare const ContentService: Content
declare const PropertiesService: Properties
/** False in what is deployed: `bundle.ts` puts the value in. */
declare const ALLOW_LOOPBACK: boolean

/** A read of a property counts against a daily quota that a busy registry would use up; a key set by hand acts after this long. */
const KEY_CACHE_S = 300
/** A line about a refusal is not worth a longer wait. */
const LOG_WAIT_MS = 2_000

/** `GET /exec?action=list` */
export const doGet = (event?: WebEvent): TextOutput => respond('GET', event)

/** `POST /exec?action=...` */
export const doPost = (event?: WebEvent): TextOutput => respond('POST', event)

/** Run once by the operator, from the editor; the menu's "Set up" does the same. */
export const setup = (): void => console.log(setUpText(setUp().newKey))

function respond(method: Call['method'], event: WebEvent = {}): TextOutput {
  const startedMs = Date.now()
  const call: Call = { method, query: event.parameter ?? {}, body: event.postData?.contents ?? '' }
  const reply = serve(call, sheetStore, {
    key: registryKey,
    allowLoopback: ALLOW_LOOPBACK,
    nowMs: () => Date.now(),
    onFault: (fault) => console.error(fault instanceof Error ? (fault.stack ?? fault.message) : fault),
    onRefusal
  })
  const usage = countCall(reply, startedMs)
  const told: Reply = reply.ok && call.query.action === 'list' && usage ? { ...reply, usage } : reply
  return ContentService.createTextOutput(JSON.stringify(told)).setMimeType(ContentService.MimeType.JSON)
}

/** The count is for the operator: whatever goes wrong with it, the caller gets their answer. */
function countCall(reply: Reply, startedMs: number): Usage | undefined {
  try {
    const nowMs = Date.now()
    const busy = !reply.ok && reply.error.code === 'busy' ? 1 : 0
    return countUse(CacheService.getScriptCache(), { busy, ranMs: nowMs - startedMs, ...used }, nowMs)
  } catch (fault) {
    console.warn('a call is not counted', fault)
    return undefined
  }
}

/** The log is for the operator: whatever goes wrong with it, the caller gets their refusal. */
function onRefusal(event: Event): void {
  try {
    const nowMs = Date.now()
    const count = refusalsToLog(CacheService.getScriptCache(), event, nowMs)
    if (count > 0) locked(LOG_WAIT_MS, (book) => writeLog(book, [{ ...event, count }], nowMs))
  } catch (fault) {
    console.warn('a refusal is missing from the log', fault)
  }
}

/** The script property `REGISTRY_KEY`, `''` when there is none. The cache only saves reads: without it, the property is read. */
function registryKey(): string {
  const read = () => {
    used.propertyReads += 1
    return PropertiesService.getScriptProperties().getProperty('REGISTRY_KEY') ?? ''
  }
  try {
    const cache = CacheService.getScriptCache()
    const cached = cache?.get('REGISTRY_KEY')
    if (cached) return cached.slice(1)
    const key = read()
    cache?.put('REGISTRY_KEY', `=${key}`, KEY_CACHE_S)
    return key
  } catch {
    return read()
  }
}
