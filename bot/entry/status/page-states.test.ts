import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noChromium } from '../../../sandbox/chromium.ts'
import type { Snapshot } from './snapshot.ts'
import { DESKTOP, NARROWEST, PHONE, axeFinds, heading, isSideways, visitPage } from '../../../sandbox/visit-page.ts'
import { MARKUP, degraded, down, empty, hostile, many, snapshotOf, stale, staleEmpty, unlisted } from './test-snapshots.ts'
import { startStatusServer } from './test-status-server.ts'
import type { StatusServer } from './test-status-server.ts'

const STATES: readonly (readonly [name: string, snapshot: () => Snapshot, sentence: string])[] = [
  ['ok', snapshotOf, 'All is well'],
  ['degraded', degraded, 'Some nodes can’t speak'],
  ['down', down, 'No node can speak right now'],
  ['empty', empty, 'No node has joined yet'],
  ['without a list', unlisted, 'The registry has not answered yet'],
  ['stale', stale, 'The registry is silent'],
  ['stale and empty', staleEmpty, 'The registry is silent'],
  ['hostile', hostile, 'Some nodes can’t speak'],
  // The last, since its small cards stay.
  ['many', many, 'Some nodes can’t speak']
]

/** How the page is when it is no state of the pool: what the server does first, and what the page says then. */
const OTHERS: readonly (readonly [name: string, prepare: (page: Page, server: StatusServer) => Promise<void>, sentence: string])[] = [
  ['loading', async (page, server) => {
    server.hush(true)
    await page.goto(server.url)
  }, 'Looking how the pool is …'],
  ['never reached', async (page, server) => {
    await page.route('**/api/**', (route) => route.abort())
    await page.goto(server.url)
  }, 'The bot does not answer'],
  ['lost', async (page, server) => {
    await page.clock.install()
    await page.goto(server.url)
    await page.getByText('Live', { exact: true }).waitFor()
    await page.route('**/api/**', (route) => route.abort())
    await server.close()
    await page.getByText(/Reconnecting in/).waitFor()
    await page.clock.fastForward(6_000)
  }, 'The bot does not answer'],
  ['admin', async (page, server) => {
    server.show(degraded())
    server.answer('GET /api/session', { status: 200, body: { isAdmin: true, until: Date.now() + 3_600_000 } })
    await page.goto(server.url)
    await page.getByRole('button', { name: /^Disable .*Aoi/ }).click()
    await page.getByRole('dialog').waitFor()
  }, 'Some nodes can’t speak'],
  ['with a link that was used', async (page, server) => {
    server.answer('POST /api/session', { status: 401, body: { ok: false, error: { code: 'link_used' } } })
    await page.goto(`${server.url}#admin=used`)
    await page.getByText('This link has been used').waitFor()
  }, 'All is well']
]

const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) => [PHONE, DESKTOP].map((viewport) => ({ colorScheme, viewport })))

/** Many states are looked through in one test: opening a browser's page takes longer than that. */
const LONG_MS = 180_000

describe.skipIf(noChromium)('the status page in every state', () => {
  let server: StatusServer

  beforeAll(async () => {
    server = await startStatusServer({ snapshot: snapshotOf() })
  })
  afterAll(() => server.close())

  async function inState(snapshot: Snapshot, options: object, visit: (page: Page) => Promise<void>): Promise<void> {
    server.show(snapshot)
    await visitPage(server.url, options, visit)
  }

  it.each(STATES)('says how it is in one sentence: %s', async (_, snapshot, sentence) => {
    await inState(snapshot(), {}, async (page) => {
      await page.getByText('Live', { exact: true }).waitFor()
      await expect.poll(() => heading(page).textContent()).toBe(sentence)
      await expect.poll(() => page.getByRole('main').getAttribute('aria-busy')).toBe('false')
    })
  })

  it.each(LOOKS)('has nothing that axe finds, $colorScheme, $viewport.width px wide', { timeout: LONG_MS }, async (look) => {
    await inState(snapshotOf(), look, async (page) => {
      for (const [name, snapshot, sentence] of STATES) {
        server.show(snapshot())
        await page.getByRole('heading', { level: 1, name: sentence }).waitFor()
        expect([name, ...(await axeFinds(page))]).toEqual([name])
      }
    })
  })

  for (const [name, prepare, sentence] of OTHERS) {
    it.each(LOOKS)(`has nothing that axe finds, $colorScheme, $viewport.width px wide: ${name}`, { timeout: LONG_MS }, async (look) => {
      const own = await startStatusServer({ snapshot: snapshotOf() })
      await visitPage('', { ...look, mayFail: true }, async (page) => {
        await prepare(page, own)
        await page.locator('h1:visible', { hasText: sentence }).waitFor()
        await expect.poll(() => axeFinds(page)).toEqual([])
      })
      await own.close()
    })
  }

  it.each(['en-US', 'ja-JP', 'ko-KR'])('does not scroll sideways on the narrowest phone, nor with letters twice as large: %s', { timeout: LONG_MS }, async (locale) => {
    await inState(snapshotOf(), { viewport: NARROWEST, locale }, async (page) => {
      for (const [name, snapshot] of STATES) {
        server.show(snapshot())
        await expect.poll(() => page.getByTestId('node').count()).toBe(Math.min(24, snapshot().nodes.length))
        for (const size of ['100%', '200%']) {
          await page.evaluate(`document.documentElement.style.fontSize = '${size}'`)
          expect([name, size, await isSideways(page)]).toEqual([name, size, false])
        }
      }
    })
  })

  it('says in numbers what can speak, who is there, who waits and who is read to, without the nodes that are not in use', async () => {
    await inState(degraded(), {}, async (page) => {
      await expect.poll(() => page.locator('.stat').allInnerTexts()).toEqual([
        'Nodes that speak\n1 of 3\n2 more not in use', 'Members\n10 of 30\npresent, of capacity', 'Waiting\n5\n2 under way', 'Servers read to\n3\nin 4 voice channels'
      ])
    })
  })

  it('says of each node how it is in words and by a sign, and its faults in plain words', async () => {
    await inState(degraded(), {}, async (page) => {
      const cards = page.getByTestId('node')
      await expect.poll(() => cards.locator('.chip').allTextContents()).toEqual(['Ready', 'Not answering', 'Joining', 'Being emptied', 'Disabled'])
      const signs = await page.evaluate<string[]>("[...document.querySelectorAll('.chip path')].map((path) => path.getAttribute('d'))")
      expect(new Set(signs).size).toBe(5)
      const [full, resting, joining] = await cards.allInnerTexts()
      expect(full).toContain('10 of 10 members full')
      expect(full).toContain('2 of 2, 1 waiting')
      expect(full).toContain('The only one that can speak now')
      expect(resting).toMatch(/Last fault: broke off the connection, \d+m ago/)
      expect(resting).toMatch(/\d+m ago, overdue/)
      expect(joining).toContain('room for 10 members')
    })
  })

  it('leads from an empty pool to how a node is started, and shows no charts of nothing', async () => {
    await inState(empty(), {}, async (page) => {
      await expect.poll(() => page.getByRole('link', { name: 'How to start a node' }).getAttribute('href')).toBe('/docs/nodes')
      await page.getByText('The bot started', { exact: true }).waitFor()
      await expect.poll(() => page.getByRole('heading', { name: 'The last hour' }).count()).toBe(0)
    })
  })

  it('does not say of an empty list that is old that no node has joined, nor that speaking goes on', async () => {
    await inState(staleEmpty(), {}, async (page) => {
      await page.getByText(/^The list of nodes is of .*\d\d:\d\d, when there was none\./).waitFor()
      await expect.poll(() => page.locator('.area-nodes:visible, .stats:visible, .verdict-link:visible').count()).toBe(0)
    })
  })

  it('says of when the list is while the registry is silent', async () => {
    const { registry: { ageMs } } = stale()
    const openedAtMs = Date.now()
    await inState(stale(), {}, async (page) => {
      const timeZone = await page.evaluate<string>('Intl.DateTimeFormat().resolvedOptions().timeZone')
      const listedAt = (nowMs: number) => `As of ${new Date(nowMs - ageMs!).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', timeZone })}; may be wrong`
      const said = await page.getByText(/^As of \d\d:\d\d; may be wrong$/).textContent()
      expect([listedAt(openedAtMs), listedAt(Date.now())]).toContain(said)
      await expect.poll(() => page.locator('.area-nodes').getAttribute('data-old')).not.toBeNull()
    })
  })

  it('shows what others write as text, never as markup, and takes no address for a colour', async () => {
    const asked: string[] = []
    await inState(hostile(), {}, async (page) => {
      page.on('request', (request) => asked.push(request.url()))
      await page.reload()
      await page.getByText('Live', { exact: true }).waitFor()
      await expect.poll(() => page.getByTestId('node').first().locator('.label').textContent()).toBe(MARKUP)
      await expect.poll(() => page.locator('main img, main script, main svg[onload], main b:not(.label, .stat b, .keys b)').count()).toBe(0)
      await expect.poll(() => page.title()).toBe('Voxpool status')
      await expect.poll(() => page.locator('.event').textContent()).toContain(MARKUP)
    })
    expect(asked.filter((url) => !url.startsWith(server.url))).toEqual([])
  })

  it('says what there is to know without a script', async () => {
    await inState(snapshotOf(), { javaScriptEnabled: false }, async (page) => {
      await expect.poll(() => heading(page).textContent()).toBe('Voxpool status')
      await expect.poll(() => page.locator('.no-script p').first().isVisible()).toBe(true)
      await expect.poll(() => page.locator('.skeleton').isVisible()).toBe(false)
    })
  })
})
