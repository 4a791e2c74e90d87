import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noChromium } from '../../../sandbox/chromium.ts'
import { heading, turn, visitPage } from '../../../sandbox/visit-page.ts'
import { degraded, down, many, snapshotOf } from './test-snapshots.ts'
import { startStatusServer } from './test-status-server.ts'
import type { StatusServer } from './test-status-server.ts'

describe.skipIf(noChromium)('the status page, live', () => {
  let server: StatusServer

  beforeEach(async () => {
    server = await startStatusServer({ snapshot: snapshotOf() })
  })
  afterEach(() => server.close())

  const live = (page: Page) => page.getByText('Live', { exact: true }).waitFor()
  const says = (page: Page, sentence: string) => page.getByRole('heading', { level: 1, name: sentence }).waitFor()

  /** The server dies, and another comes to its address. */
  async function restart(): Promise<void> {
    const { port } = server
    await server.close()
    server = await startStatusServer({ port, snapshot: degraded() })
  }

  it('follows what changes, and leaves alone what does not: the focus, what is open, what is searched for', async () => {
    await visitPage(server.url, {}, async (page) => {
      await live(page)
      server.show(many())
      await page.getByRole('searchbox', { name: 'Search nodes' }).fill('elm')
      await expect.poll(() => page.getByTestId('node').count()).toBe(10)
      const first = page.getByTestId('node').first()
      await first.locator('summary').first().click()
      const next = many()
      server.show({ ...next, waiting: 77, nodes: next.nodes.map((node) => ({ ...node, members: 9 })) })
      await page.locator('.stat', { hasText: '77' }).waitFor()
      await first.getByText('9 of 10 members').waitFor()
      await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('elm')
      await expect.poll(() => first.getByText('Latency').isVisible()).toBe(true)
      await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('SUMMARY')
    })
  })

  it('counts ages up between two snapshots', async () => {
    await visitPage(server.url, {}, async (page) => {
      await live(page)
      const age = async () => Number(/(\d+)s ago/.exec(await page.getByTestId('node').first().innerText())![1])
      const first = await age()
      expect(first).toBeGreaterThanOrEqual(12)
      await expect.poll(age).toBeGreaterThan(first)
    })
  })

  it('reads out what matters when it happens, and nothing else', async () => {
    await visitPage(server.url, {}, async (page) => {
      await live(page)
      const announced = page.locator('#announcer')
      server.show(snapshotOf({ nodes: degraded().nodes, events: [{ id: 90, at: Date.now(), kind: 'node_joined', node: { label: 'Zoe', color: '#000000' } }, ...snapshotOf().events] }))
      await page.getByText('Zoe').first().waitFor()
      await expect.poll(() => announced.textContent()).toBe('')
      server.show({ ...down(), events: [{ id: 91, at: Date.now(), kind: 'pool_down' }, ...snapshotOf().events] })
      await expect.poll(() => announced.textContent()).toBe('No node can speak any more')
    })
  })

  it('comes back by itself when the bot died and was started again, with what is true then', async () => {
    await visitPage(server.url, { mayFail: true }, async (page) => {
      await live(page)
      const { port } = server
      await server.close()
      await says(page, 'The bot does not answer')
      await page.getByText(/^As of \d\d:\d\d$/).waitFor()
      await expect.poll(() => page.locator('#announcer').textContent()).toContain('lost')
      server = await startStatusServer({ port, snapshot: degraded() })
      await says(page, 'Some nodes can’t speak')
      await live(page)
      await expect.poll(() => page.locator('#announcer').textContent()).toContain('is back')
      expect(server.readers()).toBe(1)
    })
  })

  it('tells what happened in the new run of a bot that was started again, whose events are numbered as the old ones', async () => {
    await visitPage(server.url, {}, async (page) => {
      await live(page)
      await expect.poll(() => page.locator('.event').count()).toBe(6)
      const at = Date.now()
      server.show({ ...down(), startedAt: at, events: [{ id: 3, at, kind: 'pool_down' }, { id: 2, at, kind: 'node_joined', node: { label: 'Zoe', color: '#000000' } }, { id: 1, at, kind: 'started' }] })
      await says(page, 'No node can speak right now')
      await expect.poll(() => page.locator('.event > :last-child').allTextContents()).toEqual(['No node can speak any more', '\u2068Zoe\u2069 joined', 'The bot started'])
      await expect.poll(() => page.locator('#announcer').textContent()).toBe('No node can speak any more')
    })
  })

  it('tries at once when somebody asks it to', async () => {
    await visitPage('', { mayFail: true }, async (page) => {
      await page.clock.install()
      await page.goto(server.url)
      await live(page)
      const { port } = server
      await server.close()
      await says(page, 'The bot does not answer')
      await page.getByText(/Next try in [1-9]/).waitFor()
      await page.clock.pauseAt(Date.now() + 120_000)
      await page.getByText(/Next try in [1-9]/).waitFor()
      server = await startStatusServer({ port, snapshot: degraded() })
      await page.getByRole('button', { name: 'Try now' }).click()
      await says(page, 'Some nodes can’t speak')
    })
  })

  for (const [what, event] of [
    ['the device is back on the network', "window.dispatchEvent(new Event('online'))"],
    ['somebody looks at the page again', "document.dispatchEvent(new Event('visibilitychange'))"]
  ] as const) {
    it(`tries at once when ${what}, with one stream, and none beside one that lives`, async () => {
      await visitPage('', { mayFail: true }, async (page) => {
        await page.clock.install()
        await page.goto(server.url)
        await live(page)
        await page.clock.pauseAt(Date.now() + 60_000)
        await restart()
        // The page's timers stand still: only the event can open the next stream.
        await page.getByText('Reconnecting in 1 s').waitFor()
        await page.evaluate(event)
        await live(page)
        await page.evaluate(event)
        await page.evaluate(event)
        await says(page, 'Some nodes can’t speak')
        expect([server.readers(), server.opened()]).toEqual([1, 1])
      })
    })
  }

  it('opens another stream when one has been silent for half a minute, though nobody closed it', async () => {
    await visitPage('', {}, async (page) => {
      await page.clock.install()
      await page.goto(server.url)
      await live(page)
      server.show(degraded())
      await says(page, 'Some nodes can’t speak')
      expect(server.opened()).toBe(1)
      await page.clock.fastForward(40_000)
      await page.clock.fastForward(3_000)
      await expect.poll(() => server.opened()).toBe(2)
      await expect.poll(() => server.readers()).toBe(1)
      await live(page)
    })
  })

  it('hears that a stream is silent, and counts ages on, when the device’s clock was set back', async () => {
    await visitPage('', {}, async (page) => {
      await page.clock.install()
      await page.goto(server.url)
      await live(page)
      await page.clock.setSystemTime(Date.now() - 3_600_000)
      await page.clock.fastForward(20_000)
      await expect.poll(async () => Number(/(\d+)s ago/.exec(await page.getByTestId('node').first().innerText())![1])).toBeGreaterThanOrEqual(32)
      await page.clock.fastForward(20_000)
      await page.clock.fastForward(3_000)
      await expect.poll(() => server.opened()).toBe(2)
      await live(page)
    })
  })

  it('says by the bot’s clock of when it is what stands there, though the device’s clock is wrong', async () => {
    await visitPage('', { mayFail: true, timezoneId: 'UTC' }, async (page) => {
      await page.clock.install({ time: Date.now() + 10_800_000 })
      const openedAtMs = Date.now()
      await page.goto(server.url)
      await live(page)
      const times = [openedAtMs, Date.now()].map((atMs) => new Date(atMs).toISOString().slice(11, 16))
      await server.close()
      await page.getByText(/^Reconnecting/).waitFor()
      await page.clock.fastForward(6_000)
      await says(page, 'The bot does not answer')
      const said = /^What stands below is as of (\d\d:\d\d)\.$/.exec((await page.locator('.more').textContent())!)![1]
      expect(times).toContain(said)
      await expect.poll(() => page.locator('.live').textContent()).toBe(`As of ${said}`)
    })
  })

  it('lets go of its stream when nobody has looked at it for half a minute, which is no loss, and opens one at once when somebody looks', async () => {
    await visitPage('', {}, async (page) => {
      await page.clock.install()
      await page.goto(server.url)
      await live(page)
      await turn(page, 'hidden')
      await page.clock.fastForward(15_000)
      server.show(snapshotOf({ waiting: 77 }))
      await page.locator('.stat', { hasText: '77' }).waitFor()
      expect(server.readers()).toBe(1)
      await page.clock.fastForward(16_000)
      await expect.poll(() => server.readers()).toBe(0)
      await page.evaluate("window.dispatchEvent(new Event('online'))")
      await page.clock.fastForward(600_000)
      await page.getByText('Connecting …', { exact: true }).waitFor()
      expect([await heading(page).textContent(), await page.locator('#announcer').textContent(), server.opened()]).toEqual(['All is well', '', 1])
      server.hush(true)
      await turn(page, 'visible')
      await expect.poll(() => server.readers()).toBe(1)
      expect([await heading(page).textContent(), await page.locator('.live').textContent()]).toEqual(['All is well', 'Connecting …'])
      server.show(degraded())
      await live(page)
      expect([await heading(page).textContent(), await page.locator('#announcer').textContent(), server.opened()]).toEqual(['Some nodes can’t speak', '', 2])
    })
  })

  it('tells nobody of a loss that came while nobody looked, when it rests', async () => {
    await visitPage('', { mayFail: true }, async (page) => {
      await page.clock.install()
      await page.goto(server.url)
      await live(page)
      await turn(page, 'hidden')
      await page.clock.pauseAt(Date.now() + 27_000)
      const { port } = server
      await server.close()
      await page.getByText('Reconnecting in 1 s').waitFor()
      await page.clock.runFor(4_000)
      await page.clock.fastForward(60_000)
      await page.getByText('Connecting …', { exact: true }).waitFor()
      expect([await heading(page).textContent(), await page.locator('#announcer').textContent()]).toEqual(['All is well', ''])
      server = await startStatusServer({ port, snapshot: degraded() })
      await turn(page, 'visible')
      await live(page)
      expect(server.opened()).toBe(1)
    })
  })

  it('keeps the stream of who only looked away', async () => {
    await visitPage('', {}, async (page) => {
      await page.clock.install()
      await page.goto(server.url)
      await live(page)
      await turn(page, 'hidden')
      await page.clock.fastForward(20_000)
      await turn(page, 'visible')
      server.show(degraded())
      await says(page, 'Some nodes can’t speak')
      await page.clock.fastForward(20_000)
      server.show(down())
      await says(page, 'No node can speak right now')
      expect([server.readers(), server.opened()]).toEqual([1, 1])
    })
  })

  it('asks every so often where the bot has no stream to spare, and says so', async () => {
    server.refuseStreams(true)
    await visitPage('', { mayFail: true }, async (page) => {
      await page.clock.install()
      await page.goto(server.url)
      await page.getByText('Updated every 15 s').waitFor()
      await says(page, 'All is well')
      server.refuseStreams(false)
      await page.clock.fastForward(15_000)
      await live(page)
      await expect.poll(() => heading(page).textContent()).toBe('All is well')
    })
  })

  it('says that the device has no network', async () => {
    await visitPage(server.url, { mayFail: true }, async (page) => {
      await live(page)
      await page.context().setOffline(true)
      await page.getByText('This device has no network.').waitFor()
      await page.context().setOffline(false)
      await live(page)
    })
  })
})
