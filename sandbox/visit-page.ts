import { source as axeSource } from 'axe-core'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { launchChromium } from './chromium.ts'

export const PHONE = { width: 390, height: 844 }
export const NARROWEST = { width: 360, height: 740 }
export const DESKTOP = { width: 1280, height: 800 }

type Options = NonNullable<Parameters<Browser['newContext']>[0]>

/** One for all tests of a file, from the first that visits a page on. */
let chromium: Promise<Browser> | undefined
afterAll(async () => (await chromium)?.close())

/**
 * The page with nothing kept from another visit. Whatever the browser complains of fails the test, such as an error of a script or a breach of the entry's policy;
 * but not that a server does not answer or refuses, where the test is about that.
 */
export async function visitPage(url: string, options: Options & { mayFail?: boolean }, visit: (page: Page) => Promise<void>): Promise<void> {
  const { mayFail = false, ...context } = options
  const own = await (await (chromium ??= launchChromium())).newContext({ viewport: DESKTOP, locale: 'en-US', ...context })
  const page = await own.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() !== 'error' || (mayFail && message.text().startsWith('Failed to load resource'))) return
    complaints.push(message.text())
  })
  if (url !== '') await page.goto(url)
  await visit(page)
  await own.close()
  expect(complaints).toEqual([])
}

/** As if the tab were hidden, or shown again. */
export const turn = (page: Page, state: 'hidden' | 'visible') =>
  page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`)

export const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** Ids of the rules that are broken, each with the elements that break it; what is folded is opened first. */
export async function axeFinds(page: Page): Promise<(string | undefined)[][]> {
  await page.evaluate("document.querySelectorAll('details:not([hidden])').forEach((details) => { details.open = true })")
  await page.evaluate(axeSource)
  const { violations, passes } = await page.evaluate<AxeResults>('axe.run()')
  expect(passes.map(({ id }) => id)).toContain('color-contrast')
  return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`)])
}

export const isSideways = (page: Page) => page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth')
