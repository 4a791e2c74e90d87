import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noChromium } from '../../../sandbox/chromium.ts'
import { DESKTOP, PHONE, isSideways, visitPage } from '../../../sandbox/visit-page.ts'
import { degraded, many, nodeView, snapshotOf } from './test-snapshots.ts'
import { startStatusServer } from './test-status-server.ts'
import type { StatusServer } from './test-status-server.ts'

describe.skipIf(noChromium)('the look of the status page', () => {
  let server: StatusServer

  beforeAll(async () => {
    server = await startStatusServer({ snapshot: snapshotOf() })
  })
  afterAll(() => server.close())

  const drawn = (page: Page) => page.locator('.plot canvas').first().waitFor({ state: 'attached' })
  const focused = (page: Page) => page.evaluate<string>("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent.trim()")
  const theme = (page: Page) => page.evaluate<string>('document.documentElement.dataset.theme')
  const background = (page: Page) => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
  const ink = (page: Page) => page.evaluate<string>('getComputedStyle(document.body).color')
  const picture = (page: Page) => page.evaluate<string>("document.querySelector('.plot canvas').toDataURL()")

  it.each([
    ['ja-JP', 'ja', 'すべて順調です'], ['ko-KR', 'ko', '모두 좋아요'], ['en-GB', 'en', 'All is well'], ['fr-FR', 'en', 'All is well']
  ])('speaks the person’s language: %s', async (locale, language, sentence) => {
    server.show(snapshotOf())
    await visitPage(server.url, { locale }, async (page) => {
      await page.getByRole('heading', { level: 1, name: sentence }).waitFor()
      await expect.poll(() => page.evaluate('document.documentElement.lang')).toBe(language)
    })
  })

  it('speaks another language when it is chosen, keeps it, and leaves the focus where it was', async () => {
    await visitPage(server.url, {}, async (page) => {
      await page.getByLabel('Language').selectOption('ko')
      await page.getByRole('heading', { level: 1, name: '모두 좋아요' }).waitFor()
      await expect.poll(() => focused(page)).toBe('언어')
      await expect.poll(() => page.title()).toBe('Voxpool 상태')
      await page.reload()
      await page.getByRole('heading', { level: 1, name: '모두 좋아요' }).waitFor()
      await expect.poll(() => page.evaluate('document.documentElement.lang')).toBe('ko')
    })
  })

  it('is dark where the system is, changes by a switch that is kept, and draws its charts anew', async () => {
    await visitPage(server.url, { colorScheme: 'dark' }, async (page) => {
      await drawn(page)
      const [dark, inDark] = [await background(page), await picture(page)]
      await page.getByRole('button', { name: 'Light appearance' }).click()
      await expect.poll(() => theme(page)).toBe('light')
      await expect.poll(() => background(page)).not.toBe(dark)
      await expect.poll(() => picture(page)).not.toBe(inDark)
      await page.reload()
      await page.getByRole('button', { name: 'Dark appearance' }).click()
      await expect.poll(() => background(page)).toBe(dark)
      // Back at what the system has, it follows the system again.
      await page.emulateMedia({ colorScheme: 'light' })
      await expect.poll(() => theme(page)).toBe('light')
    })
  })

  it('is led through by keys: past the bar to the status, along the hour of a chart, into its table', async () => {
    const { points } = snapshotOf().history
    server.show(snapshotOf())
    await visitPage(server.url, {}, async (page) => {
      await drawn(page)
      const met: string[] = []
      for (let presses = 0; presses < 5; presses++) {
        await page.keyboard.press('Tab')
        met.push(await focused(page))
      }
      expect(met).toEqual(['Skip to the status', 'Voxpool', 'Docs', 'Language', 'Dark appearance'])
      await page.getByRole('link', { name: 'Skip to the status' }).focus()
      await page.keyboard.press('Enter')
      await expect.poll(() => focused(page)).toBe('All is well')
      await page.keyboard.press('Tab')
      await expect.poll(() => focused(page)).toBe('Requests to nodes')
      const chart = page.getByRole('slider', { name: 'Requests to nodes' })
      await page.keyboard.press('End')
      await expect.poll(() => chart.getAttribute('aria-valuetext')).toContain(`Requests to nodes ${points.at(-1)!.requests}, Failed ${points.at(-1)!.failed}`)
      await page.keyboard.press('Home')
      await expect.poll(() => chart.getAttribute('aria-valuenow')).toBe('0')
      for (let presses = 0; presses < 25; presses++) await page.keyboard.press('ArrowRight')
      await expect.poll(() => chart.getAttribute('aria-valuetext')).toMatch(/^\d\d:\d\d: the bot was off$/)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.getByRole('table', { name: 'Requests to nodes: the last hour in steps of five minutes' }).waitFor()
      // The rows come when the list has opened, which is told a moment later.
      await expect.poll(() => page.locator('.as-table[open] tbody tr').count()).toBeGreaterThanOrEqual(11)
    })
  })

  it('keeps the time that the keys have chosen in a chart when the hour moves on', async () => {
    const { stepMs, points } = snapshotOf().history
    const hour = points.map((point, at) => ({ ...point, requests: at }))
    server.show(snapshotOf({ history: { stepMs, points: hour } }))
    await visitPage(server.url, {}, async (page) => {
      await drawn(page)
      const chart = page.getByRole('slider', { name: 'Requests to nodes' })
      const told = async () => [Number(await chart.getAttribute('aria-valuenow')), await chart.getAttribute('aria-valuetext')] as const
      const line = async () => (await chart.locator('.u-cursor-x').boundingBox())!.x
      await chart.press('End')
      await chart.press('PageDown')
      const [index, words] = await told()
      const lineAt = await line()
      expect(words).toContain(`Requests to nodes ${hour.at(-11)!.requests}`)
      server.show(snapshotOf({ history: { stepMs, points: [...hour.slice(1), { ...hour.at(-1)!, at: hour.at(-1)!.at + stepMs }] } }))
      await expect.poll(told).toEqual([index - 1, words])
      await expect.poll(() => line()).toBeLessThan(lineAt)
      await chart.press('ArrowRight')
      await expect.poll(() => chart.getAttribute('aria-valuetext')).toContain(`Requests to nodes ${hour.at(-10)!.requests}`)
    })
  })

  it.each([
    ['en-US', 40, ['0', '20', '40']], ['en-US', 12_000, ['0', '5K', '10K']], ['en-US', 1_500_000, ['0', '500K', '1M', '1.5M']],
    ['ja-JP', 15_000_000, ['0', '500万', '1000万', '1500万']], ['ko-KR', 1_500, ['0', '500', '1천', '1.5천']]
  ])('writes the numbers beside a chart whole, however large they are: %s, %d', async (locale, most, numbers) => {
    const { stepMs, points } = snapshotOf().history
    server.show(snapshotOf({ history: { stepMs, points: points.map((point) => ({ ...point, requests: most, waiting: 0 })) } }))
    await visitPage('', { locale }, async (page) => {
      await page.addInitScript(`
        window.written = []
        const { fillText } = CanvasRenderingContext2D.prototype
        CanvasRenderingContext2D.prototype.fillText = function (text, x, ...more) {
          if (this.textAlign === 'right') window.written.push({ text, isWhole: x >= this.measureText(text).width })
          return fillText.call(this, text, x, ...more)
        }
      `)
      await page.goto(server.url)
      await drawn(page)
      const written = () => page.evaluate<{ text: string; isWhole: boolean }[]>('window.written')
      await expect.poll(async () => (await written()).map(({ text }) => text)).toEqual(expect.arrayContaining(numbers))
      expect((await written()).filter(({ isWhole }) => !isWhole)).toEqual([])
    })
  })

  it.each(['the system', 'the button'])('is printed dark on light, though %s made it dark', async (chooser) => {
    server.show(snapshotOf())
    await visitPage(server.url, { colorScheme: 'light' }, async (page) => {
      await drawn(page)
      await page.getByText(/ requests, /).waitFor()
      // The chart has its width by then.
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
      const seen = async () => [await ink(page), await background(page), await picture(page)]
      const light = await seen()
      if (chooser === 'the system') await page.emulateMedia({ colorScheme: 'dark' })
      else await page.getByRole('button', { name: 'Dark appearance' }).click()
      await expect.poll(() => theme(page)).toBe('dark')
      // Made in the dark, the chart has nothing left of the light.
      if (chooser === 'the system') await page.reload()
      await drawn(page)
      await expect.poll(() => picture(page)).not.toBe(light.at(-1))
      await page.emulateMedia({ media: 'print' })
      await expect.poll(seen).toEqual(light)
    })
  })

  it('sums each chart up in a sentence, and shows values under the pointer', async () => {
    const { points } = snapshotOf().history
    server.show(snapshotOf())
    await visitPage(server.url, {}, async (page) => {
      await drawn(page)
      const sum = points.reduce((all, { requests }) => all + requests, 0)
      await page.getByText(`${sum.toLocaleString('en')} requests`).waitFor()
      const chart = page.locator('.chart').first()
      await expect.poll(() => chart.locator('.chosen-at').textContent()).toBe('')
      await chart.locator('.u-over').hover({ position: { x: 40, y: 40 } })
      await expect.poll(() => chart.locator('.chosen-at').textContent()).toMatch(/^\d\d:\d\d$/)
      await expect.poll(() => chart.locator('.keys b').first().textContent()).toMatch(/^\d+$/)
    })
  })

  it('fits its charts to the window', async () => {
    await visitPage(server.url, { viewport: DESKTOP }, async (page) => {
      await drawn(page)
      await page.setViewportSize(PHONE)
      await expect.poll(async () => (await page.locator('.plot canvas').first().boundingBox())!.width).toBeLessThan(PHONE.width)
      await expect.poll(() => isSideways(page)).toBe(false)
    })
  })

  it('has targets of 44 px on a phone', async () => {
    server.show(degraded())
    server.answer('GET /api/session', { status: 200, body: { isAdmin: true, until: Date.now() + 3_600_000 } })
    await visitPage(server.url, { viewport: PHONE }, async (page) => {
      await page.getByText('You are admin').waitFor()
      for (const target of await page.locator('a:visible:not(.skip), button:visible, select:visible, summary:visible').all()) {
        const box = await target.boundingBox()
        expect([await target.innerText(), box!.height >= 43.5]).toEqual([await target.innerText(), true])
      }
    })
    server.answer('GET /api/session', { status: 200, body: { isAdmin: false, until: null } })
  })

  it('stays usable with a hundred nodes: found by name, by state, and not all drawn at once', async () => {
    server.show(many())
    await visitPage(server.url, {}, async (page) => {
      const cards = page.getByTestId('node')
      await expect.poll(() => cards.count()).toBe(24)
      await page.getByRole('button', { name: 'Show 76 more' }).click()
      await expect.poll(() => cards.count()).toBe(100)
      await expect.poll(() => page.evaluate("document.activeElement.matches('[data-testid=node]:nth-child(25)')")).toBe(true)
      await page.getByRole('button', { name: 'Not answering 10' }).click()
      await expect.poll(() => cards.count()).toBe(10)
      await expect.poll(() => page.getByRole('button', { name: 'Not answering 10' }).getAttribute('aria-pressed')).toBe('true')
      await page.getByRole('searchbox').fill('no such node')
      await page.getByText('No node is like that.').waitFor()
      await page.getByRole('button', { name: 'Show all nodes' }).click()
      await expect.poll(() => cards.count()).toBe(100)
      await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('')
    })
  })

  it('tells nodes with long names apart: two lines of each, the whole where it is open, and by the pointer', async () => {
    const longOf = (at: number) => `${'Somebody’s own machine below the desk in the very last room '.repeat(2).slice(0, 76)} ${String(at).padStart(3, '0')}`
    server.show(snapshotOf({ nodes: Array.from({ length: 13 }, (_, at) => nodeView({ id: `l${at}`, label: longOf(at) })) }))
    await visitPage(server.url, {}, async (page) => {
      const first = page.getByTestId('node').first()
      await first.waitFor()
      const lines = (key: 'clientHeight' | 'scrollHeight') => page.evaluate<number>(`(() => { const label = document.querySelector('.label'); return Math.round(label.${key} / parseFloat(getComputedStyle(label).lineHeight)) })()`)
      await expect.poll(() => lines('clientHeight')).toBe(2)
      await expect.poll(() => lines('scrollHeight')).toBeGreaterThan(2)
      await first.locator('summary').first().click()
      await expect.poll(async () => (await lines('clientHeight')) === (await lines('scrollHeight'))).toBe(true)
      await expect.poll(() => page.locator('.label').nth(12).getAttribute('title')).toBe(longOf(12))
    })
    server.show(snapshotOf())
    await visitPage(server.url, {}, async (page) => {
      await page.getByTestId('node').first().waitFor()
      await expect.poll(() => page.locator('.label').first().getAttribute('title')).toBe('Aoi')
    })
  })

  it('has room below what an open card shows to who is no admin', async () => {
    server.show(many())
    await visitPage(server.url, {}, async (page) => {
      const first = page.getByTestId('node').first()
      await first.locator('summary').first().click()
      const [card, figures] = await Promise.all([first.boundingBox(), first.locator('.figures').boundingBox()])
      expect(Math.round(card!.y + card!.height - figures!.y - figures!.height)).toBe(13)
    })
  })

  it.each([721, 800, 1_100])('breaks paths after their slashes alone, %d px wide', async (width) => {
    server.show(snapshotOf())
    await visitPage(server.url, { viewport: { width, height: 800 } }, async (page) => {
      await page.getByRole('rowheader', { name: '/v1/audio/speech' }).waitFor()
      const lines = await page.evaluate<number[]>(`[...document.querySelectorAll('.paths tbody th')].flatMap((cell) => [...cell.childNodes]).filter((node) => node.nodeType === 3).map((text) => {
        const range = document.createRange()
        range.selectNodeContents(text)
        return range.getClientRects().length
      })`)
      expect(lines).toEqual([1, 1, 1, 1, 1, 1])
      await expect.poll(() => page.evaluate("document.querySelector('.area-paths .table').scrollWidth > document.querySelector('.area-paths .table').clientWidth")).toBe(false)
    })
  })

  it('moves nothing for who wants no motion, and keeps its signs where colours are forced', async () => {
    server.show(degraded())
    await visitPage(server.url, { reducedMotion: 'reduce', forcedColors: 'active' }, async (page) => {
      // The heading is there before the first snapshot.
      await expect.poll(() => page.locator('.chip .icon:visible').count()).toBe(5)
      await expect.poll(() => page.evaluate("document.getAnimations().length")).toBe(0)
    })
  })
})
