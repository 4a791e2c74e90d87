import type { IncomingMessage } from 'node:http'
import { weightsOf } from './weights.ts'

/** What a browser fetches to show it as a page. */
const PAGES = new Set(['document', 'iframe', 'frame'])

/** Whether somebody visits a page, and does not fetch what a page is made of: it takes HTML, and a browser does not say that it is for something else. */
export function isVisit(headers: IncomingMessage['headers']): boolean {
  const wantedFor = headers['sec-fetch-dest']
  if (typeof wantedFor === 'string' && !PAGES.has(wantedFor)) return false
  const weights = weightsOf(headers.accept ?? '*/*')
  return (weights.get('text/html') ?? weights.get('text/*') ?? weights.get('*/*') ?? 0) > 0
}
