import type { CacheService as Cache, ContentService as Content, PropertiesService as Properties, TextOutput, WebEvent } from './apps-script.ts'
import type { Call } from './registry.ts'
import { serve } from './serve.ts'
import { makeSheets, sheetStore } from './store.ts'

declare const CacheService: Cache
declare const ContentService: Content
declare const PropertiesService: Properties

/** A read of a property counts against a daily quota that a busy registry would use up; a new key acts after this long. */
const KEY_CACHE_S = 300

/** `GET /exec?action=list` */
export const doGet = (event?: WebEvent): TextOutput => respond('GET', event)

/** `POST /exec?action=...` */
export const doPost = (event?: WebEvent): TextOutput => respond('POST', event)

/** Run once by the operator, from the editor: makes the sheets, and asks for the permission to write them. */
export const setup = (): void => makeSheets()

function respond(method: Call['method'], event: WebEvent = {}): TextOutput {
  const call: Call = { method, query: event.parameter ?? {}, body: event.postData?.contents ?? '' }
  const reply = serve(call, sheetStore, {
    key: registryKey,
    nowMs: () => Date.now(),
    onFault: (fault) => console.error(fault instanceof Error ? (fault.stack ?? fault.message) : fault)
  })
  return ContentService.createTextOutput(JSON.stringify(reply)).setMimeType(ContentService.MimeType.JSON)
}

/** The script property `REGISTRY_KEY`, `''` when there is none. The cache only saves reads: without it, the property is read. */
function registryKey(): string {
  const read = () => PropertiesService.getScriptProperties().getProperty('REGISTRY_KEY') ?? ''
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
