import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { source as axeSource } from 'axe-core'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../core/clock.ts'
import { silentLog } from '../../core/log.ts'
import { createMetrics } from '../../core/metrics.ts'
import { launchChromium, noChromium } from '../../../sandbox/chromium.ts'
import { startEntry } from '../server.ts'
import type { Entry } from '../server.ts'
import { serveSites } from '../sites/serve-sites.ts'
import { PAGES, pageAddressOf } from './contents.ts'
import { documentationSites } from './documentation-sites.ts'

const ADDRESSES = [...PAGES.map(({ name }) => pageAddressOf(name)), '/docs/deep/er/nowhere']
const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }

describe.skipIf(noChromium)('the documentation in Chromium', () => {
  const folder = mkdtempSync(join(tmpdir(), 'voxpool-docs-'))
  let entry: Entry
  let browser: Browser

  beforeAll(async () => {
    const sites = await documentationSites({ dataDir: folder, log: silentLog })
    entry = await startEntry({ host: '127.0.0.1', port: 0, log: silentLog, metrics: createMetrics(), ready: () => ({ ok: true }), lastParts: [serveSites(sites, { clock: systemClock })] })
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser.close()
    await entry.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** A page in a browser of its own; whatever the browser complains of but a page that is not there, such as a breach of the entry's policy, fails the test. */
  async function inBrowser(options: Parameters<Browser['newContext']>[0], visit: (page: Page, open: (path: string) => Promise<unknown>) => Promise<void>): Promise<void> {
    const context = await browser.newContext(options)
    context.setDefaultTimeout(15_000)
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.location().url.endsWith('/nowhere')) complaints.push(message.text())
    })
    page.on('requestfailed', (request) => complaints.push(`${request.url()} failed`))
    await visit(page, (path) => page.goto(`http://127.0.0.1:${entry.port}${path}`))
    await context.close()
    expect(complaints).toEqual([])
  }

  async function expectSound(page: Page): Promise<void> {
    const { violations, passes } = await page.evaluate<AxeResults>('axe.run()')
    expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([])
    expect(passes.map(({ id }) => id)).toContain('color-contrast')
  }

  const focused = (page: Page) => page.evaluate<string>("document.activeElement.textContent.trim() || document.activeElement.getAttribute('aria-label')")
  const isSideways = (page: Page) => page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth')

  it.each(ADDRESSES)('has nothing that axe finds, on a phone and on a desktop, light and dark: %s', async (address) => {
    await inBrowser({ viewport: PHONE }, async (page, open) => {
      await open(address)
      await page.evaluate(axeSource)
      for (const viewport of [PHONE, DESKTOP]) {
        await page.setViewportSize(viewport)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          await expectSound(page)
        }
      }
    })
  })

  it.each(['light', 'dark'] as const)('has nothing that axe finds in its folded lists, once they are open, %s', async (colorScheme) => {
    await inBrowser({ viewport: PHONE, colorScheme }, async (page, open) => {
      await open('/docs/nodes')
      await page.evaluate(axeSource)
      // The menu comes last: it lies over the other list.
      for (const list of ['.folded', '.menu']) {
        await page.locator(`${list} > summary`).click()
        await page.locator(`${list} nav`).waitFor()
        await expectSound(page)
      }
    })
  })

  it.each(ADDRESSES)('does not scroll sideways on the narrowest phone, nor with letters twice as large: %s', async (address) => {
    await inBrowser({ viewport: { width: 360, height: 740 } }, async (page, open) => {
      await open(address)
      await expect.poll(() => isSideways(page)).toBe(false)
      await page.evaluate("document.documentElement.style.fontSize = '200%'")
      await expect.poll(() => isSideways(page)).toBe(false)
    })
  })

  it('opens its menu on a phone by keys alone and without a script, and leads to a page', async () => {
    await inBrowser({ viewport: PHONE, javaScriptEnabled: false }, async (page, open) => {
      await open('/docs/nodes')
      const menu = page.locator('.menu nav')
      const met: string[] = []
      for (let presses = 0; presses < 4; presses++) {
        await page.keyboard.press('Tab')
        met.push(await focused(page))
      }
      expect(met).toEqual(['Skip to the text', 'Voxpool', 'Status', 'Pages'])
      await expect.poll(() => menu.isVisible()).toBe(false)
      await page.keyboard.press('Enter')
      await menu.waitFor()
      await page.keyboard.press('Tab')
      await expect.poll(() => focused(page)).toBe('Being heard')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/docs/members')
      await expect.poll(() => page.locator('h1').textContent()).toBe('Being heard')
      await expect.poll(() => menu.isVisible()).toBe(false)
    })
  })

  it('lets keys reach what scrolls, past the lists of pages and sections', async () => {
    await inBrowser({ viewport: PHONE }, async (page, open) => {
      await open('/docs/registry')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content')
      const table = page.getByRole('group', { name: 'Table: Set it up by hand' })
      await table.focus()
      await page.keyboard.press('ArrowRight')
      await expect.poll(() => table.evaluate((element) => (element as unknown as { scrollLeft: number }).scrollLeft)).toBeGreaterThan(0)
    })
  })

  it('shows the lists of pages and of sections beside the text where there is room, and leads to a section below the bar', async () => {
    await inBrowser({ viewport: DESKTOP }, async (page, open) => {
      await open('/docs/nodes')
      await expect.poll(() => page.locator('summary:visible').count()).toBe(0)
      await expect.poll(() => page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Nodes' }).getAttribute('aria-current')).toBe('page')
      await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: '/nodes in Discord' }).click()
      await page.waitForURL('**/docs/nodes#nodes-in-discord')
      const [bar, heading] = [await page.locator('.top').boundingBox(), await page.locator('#nodes-in-discord').boundingBox()]
      expect(heading!.y).toBeGreaterThanOrEqual(bar!.y + bar!.height)
      expect(heading!.y).toBeLessThan(DESKTOP.height)
    })
  })

  it('is printed without its lists', async () => {
    await inBrowser({ viewport: DESKTOP }, async (page, open) => {
      await open('/docs/nodes')
      await page.emulateMedia({ media: 'print' })
      await expect.poll(() => page.locator('nav:visible, header:visible, summary:visible').count()).toBe(0)
      await expect.poll(() => page.locator('h1').isVisible()).toBe(true)
    })
  })
})
