import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noChromium } from '../../../sandbox/chromium.ts'
import { turn, visitPage } from '../../../sandbox/visit-page.ts'
import { degraded } from './test-snapshots.ts'
import { startStatusServer } from './test-status-server.ts'
import type { Answer, StatusServer } from './test-status-server.ts'

const refused = (status: Answer['status'], code: string): Answer => ({ status, body: { ok: false, error: { code, message: 'No.', requestId: 'r' } } })

describe.skipIf(noChromium)('an admin’s link and session on the status page', () => {
  let server: StatusServer

  beforeEach(async () => {
    server = await startStatusServer({ snapshot: degraded() })
  })
  afterEach(() => server.close())

  const become = (untilMs = 3_600_000) => server.answer('GET /api/session', { status: 200, body: { isAdmin: true, until: Date.now() + untilMs } })
  const unbecome = () => server.answer('GET /api/session', { status: 200, body: { isAdmin: false, until: null } })
  const posts = () => server.asked.filter(({ method }) => method !== 'GET')
  const focused = (page: Page) => page.evaluate<string>('document.activeElement.id')

  it('takes the link’s token out of the address at once, and gives it for a session', async () => {
    server.answer('POST /api/session', { status: 204 })
    become()
    await visitPage(`${server.url}#admin=Tok_en-123`, {}, async (page) => {
      await page.getByText('You are admin').waitFor()
      await page.getByText(/^until \d\d:\d\d$/).waitFor()
      expect(page.url()).toBe(server.url)
      expect(posts()).toEqual([{ method: 'POST', path: '/api/session', body: { token: 'Tok_en-123' } }])
      await page.reload()
      await page.getByText('You are admin').waitFor()
      expect(posts()).toHaveLength(1)
    })
  })

  it('takes a link too that is pasted into the page’s own address', async () => {
    server.answer('POST /api/session', { status: 204 })
    await visitPage(server.url, {}, async (page) => {
      await page.getByText('Live', { exact: true }).waitFor()
      become()
      await page.evaluate("location.hash = 'admin=later'")
      await page.getByText('You are admin').waitFor()
      expect(page.url()).toBe(server.url)
    })
  })

  const UNKNOWN = 'The bot does not know this link'
  it.each([['link_used', 'This link has been used'], ['link_expired', 'This link has expired'], ['link_unknown', UNKNOWN], ['new_reason', UNKNOWN]])(
    'says what is wrong with a link, and what to do: %s',
    async (code, words) => {
      server.answer('POST /api/session', refused(401, code))
      await visitPage(`${server.url}#admin=old`, { mayFail: true }, async (page) => {
        const notice = page.locator('.notice')
        await notice.getByText(words).waitFor()
        await expect.poll(() => notice.textContent()).toContain('/nodes panel')
        await page.getByRole('button', { name: 'Close this message' }).click()
        await notice.waitFor({ state: 'hidden' })
        await expect.poll(() => focused(page)).toBe('status')
      })
    }
  )

  it('says whose link it was when they are no admin any more', async () => {
    server.answer('POST /api/session', refused(403, 'forbidden'))
    await visitPage(`${server.url}#admin=gone`, { mayFail: true }, async (page) => {
      await page.locator('.notice').getByText('no admin of this bot any more').waitFor()
    })
  })

  it('says that a link is still good that another address than the bot’s own was given', async () => {
    server.answer('POST /api/session', refused(403, 'cross_site'))
    await visitPage(`${server.url}#admin=good`, { mayFail: true }, async (page) => {
      await page.locator('.notice').getByText('This one has not been used').waitFor()
    })
  })

  it('says that the browser did not keep the session, and what to do', async () => {
    server.answer('POST /api/session', { status: 204 })
    await visitPage(`${server.url}#admin=lost`, {}, async (page) => {
      const notice = page.locator('.notice')
      await notice.getByText('This browser did not keep the session. Allow cookies').waitFor()
      await expect.poll(() => notice.textContent()).toContain('/nodes panel')
      await expect.poll(() => page.locator('.admin-bar:visible, .acts:visible').count()).toBe(0)
    })
  })

  it('keeps the token where the bot does not answer, so that one can try again', async () => {
    server.answer('POST /api/session', refused(500, 'internal'))
    await visitPage(`${server.url}#admin=kept`, { mayFail: true }, async (page) => {
      await page.getByText('The bot did not answer, so you are not admin yet.').waitFor()
      server.answer('POST /api/session', { status: 204 })
      become()
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByText('You are admin').waitFor()
      expect(posts().map(({ body }) => body)).toEqual([{ token: 'kept' }, { token: 'kept' }])
    })
  })

  it('says that the session is over when its time has come', async () => {
    become(3_000)
    await visitPage(server.url, {}, async (page) => {
      await page.locator('.notice').getByText('Your admin session is over.').waitFor()
      await expect.poll(() => page.locator('.acts:visible, .admin-bar:visible').count()).toBe(0)
    })
  })

  it('ends the session when one leaves', async () => {
    server.answer('DELETE /api/session', { status: 204 })
    become()
    await visitPage(server.url, {}, async (page) => {
      await page.getByRole('button', { name: 'Leave admin' }).click()
      await page.getByText('You are no longer admin.').waitFor()
      await expect.poll(() => page.locator('.acts:visible').count()).toBe(0)
      await expect.poll(() => focused(page)).toBe('status')
      expect(posts().map(({ method, path }) => `${method} ${path}`)).toEqual(['DELETE /api/session'])
    })
  })

  it.each<[string, (page: Page) => unknown]>([
    ['another run of the bot answers', () => server.show({ ...degraded(), startedAt: Date.now() })],
    ['somebody looks at the page again', (page) => turn(page, 'visible')]
  ])('asks whether the session is still there when %s', async (_, happen) => {
    become()
    await visitPage(server.url, {}, async (page) => {
      await page.getByText('Live', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Leave admin' }).focus()
      const asked = server.asked.length
      await happen(page)
      await expect.poll(() => server.asked.length).toBeGreaterThan(asked)
      await expect.poll(() => page.locator('.notice:visible').count()).toBe(0)
      unbecome()
      await turn(page, 'visible')
      await page.locator('.notice').getByText('Your admin session is over.').waitFor()
      await expect.poll(() => page.locator('.acts:visible, .admin-bar:visible').count()).toBe(0)
      await expect.poll(() => focused(page)).toBe('status')
    })
  })

  it('says that the session is over when the bot was started again, which keeps none', async () => {
    become()
    await visitPage(server.url, {}, async (page) => {
      await page.getByText('You are admin').waitFor()
      await page.getByText('Live', { exact: true }).waitFor()
      unbecome()
      server.show({ ...degraded(), startedAt: Date.now() })
      await page.locator('.notice').getByText('Your admin session is over.').waitFor()
      await expect.poll(() => page.locator('.acts:visible, .admin-bar:visible').count()).toBe(0)
    })
  })

  it('is not over by the device’s clock, which may be ahead, before the bot’s is known', async () => {
    server.hush(true)
    become()
    await visitPage('', {}, async (page) => {
      await page.clock.install({ time: Date.now() + 86_400_000 })
      await page.goto(server.url)
      await page.getByText('You are admin').waitFor()
      server.show(degraded())
      await page.getByText('Live', { exact: true }).waitFor()
      await expect.poll(() => page.locator('.admin-bar:visible, .acts:visible').count()).toBe(6)
      await expect.poll(() => page.locator('.notice:visible').count()).toBe(0)
    })
  })

  it('has a place in which notices are told, that is there, and takes no room, before there is one', async () => {
    await visitPage(server.url, {}, async (page) => {
      await page.getByText('Live', { exact: true }).waitFor()
      await expect.poll(() => page.evaluate("getComputedStyle(document.querySelector('.admin')).display")).not.toBe('none')
      const [main, verdict] = await Promise.all([page.getByRole('main').boundingBox(), page.locator('.verdict').boundingBox()])
      expect(verdict!.y - main!.y).toBe(20)
    })
  })
})
