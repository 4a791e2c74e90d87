import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noChromium } from '../../../sandbox/chromium.ts'
import { visitPage } from '../../../sandbox/visit-page.ts'
import { degraded, many, snapshotOf } from './test-snapshots.ts'
import { startStatusServer } from './test-status-server.ts'
import type { Answer, StatusServer } from './test-status-server.ts'

const refused = (status: Answer['status'], code: string): Answer => ({ status, body: { ok: false, error: { code, message: 'No.', requestId: 'r' } } })
const done = (result: object): Answer => ({ status: 200, body: { ok: true, result } })

describe.skipIf(noChromium)('the status page for admins', () => {
  let server: StatusServer

  beforeEach(async () => {
    server = await startStatusServer({ snapshot: degraded() })
  })
  afterEach(() => server.close())

  const become = (untilMs = 3_600_000) => server.answer('GET /api/session', { status: 200, body: { isAdmin: true, until: Date.now() + untilMs } })
  const posts = () => server.asked.filter(({ method }) => method !== 'GET')
  const button = (page: Page, act: string, label: string) => page.getByRole('button', { name: new RegExp(`^${act} .*${label}`) })
  const outcome = (page: Page, at: number) => page.getByTestId('node').nth(at).locator('.outcome')

  const focused = (page: Page) => page.evaluate<string>("document.activeElement.getAttribute('aria-label') ?? document.activeElement.id")

  async function asAdmin(visit: (page: Page) => Promise<void>, mayFail = false): Promise<void> {
    become()
    await visitPage(server.url, { mayFail }, async (page) => {
      await page.getByText('You are admin').waitFor()
      await visit(page)
    })
  }

  it('shows nobody else what an admin can do', async () => {
    await visitPage(server.url, {}, async (page) => {
      await page.getByText('Live', { exact: true }).waitFor()
      await expect.poll(() => server.asked.length).toBe(1)
      await expect.poll(() => page.locator('.acts:visible, .admin-bar:visible, .notice:visible').count()).toBe(0)
    })
  })

  it('offers what can be done in each state, and tells whose button it is', async () => {
    await asAdmin(async (page) => {
      const offered = await page.getByTestId('node').locator('.acts').allInnerTexts()
      const used = ['Test', 'Drain', 'Disable']
      expect(offered.map((texts) => texts.split('\n').filter(Boolean))).toEqual([used, used, used, ['Test', 'Enable', 'Disable'], ['Test', 'Enable']])
    })
  })

  it.each<[string, object, string]>([
    ['both ends', { spoke: true, tookMs: 820, reason: null, inLog: true }, 'It spoke after 0.82 s, and its own log has the request.'],
    ['no log', { spoke: true, tookMs: 1_240, reason: null, inLog: null }, 'It spoke after 1.2 s.'],
    ['another at its address', { spoke: true, tookMs: 820, reason: null, inLog: false }, 'It spoke after 0.82 s, but its own log does not have the request.'],
    ['mute', { spoke: false, tookMs: 900, reason: 'MUTE', inLog: true }, 'It did not speak: sent speech that nobody can hear.'],
    ['dead', { spoke: false, tookMs: null, reason: 'NODE_UNREACHABLE', inLog: null }, 'It did not speak: took no connection.'],
    ['without a reason', { spoke: false, tookMs: null, reason: null, inLog: null }, 'It did not speak.']
  ])('tests a node and says how that went: %s', async (_, result, words) => {
    let answer: (given: Answer) => void = () => {}
    server.answer('POST /api/nodes/n1/test', new Promise((resolve) => (answer = resolve)))
    await asAdmin(async (page) => {
      await button(page, 'Test', 'Aoi').click()
      await outcome(page, 0).getByText('Speaking a test').waitFor()
      // Pressed again, it does nothing before the answer.
      await button(page, 'Test', 'Aoi').click({ force: true })
      answer(done(result))
      await outcome(page, 0).getByText(words).waitFor()
      expect(posts()).toHaveLength(1)
    })
  })

  it('asks before a node with members is disabled, and does nothing when the answer is no', async () => {
    server.answer('POST /api/nodes/n1/disable', done({}))
    await asAdmin(async (page) => {
      await button(page, 'Disable', 'Aoi').click()
      const dialog = page.getByRole('dialog', { name: /Disable .*Aoi.*\?/ })
      await expect.poll(() => dialog.textContent()).toContain('It is used by 10 members now')
      await expect.poll(() => dialog.textContent()).toContain('It is the only node that can speak now.')
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      await button(page, 'Disable', 'Aoi').click()
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Cancel')
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'hidden' })
      expect(posts()).toEqual([])
      await button(page, 'Disable', 'Aoi').click()
      await dialog.getByRole('button', { name: 'Disable' }).click()
      await outcome(page, 0).getByText('Disabled. Its members get other nodes').waitFor()
      expect(posts()).toEqual([{ method: 'POST', path: '/api/nodes/n1/disable', body: {} }])
    })
  })

  it('asks nothing where nobody would notice, and enables at once', async () => {
    server.answer('POST /api/nodes/n2/drain', done({ moved: 0 }))
    server.answer('POST /api/nodes/n5/enable', done({}))
    await asAdmin(async (page) => {
      await button(page, 'Drain', 'Birch').click()
      await outcome(page, 1).getByText('0 members moved.').waitFor()
      await button(page, 'Enable', 'Elm').press('Enter')
      await outcome(page, 4).getByText('Enabled.').waitFor()
    })
  })

  it.each<[string, Answer, string]>([
    ['last_node', refused(409, 'last_node'), 'It is the only node that can speak now'],
    ['already_disabled', refused(409, 'already_disabled'), 'It is disabled already.'],
    ['unknown_node', refused(404, 'unknown_node'), 'It is not in the pool any more.'],
    ['registry', refused(502, 'registry'), 'The registry did not take that'],
    ['registry_silent', refused(504, 'registry_silent'), 'Whether it was done shows in the state.'],
    ['old_registry', refused(502, 'old_registry'), 'deploy it again'],
    ['cross_site', refused(403, 'cross_site'), 'only from its own address'],
    ['what is new', refused(500, 'brand_new'), 'brand_new']
  ])('says a refusal in words: %s', async (_, answer, words) => {
    server.answer('POST /api/nodes/n2/drain', answer)
    await asAdmin(async (page) => {
      await button(page, 'Drain', 'Birch').click()
      await outcome(page, 1).getByText(words).waitFor()
    }, true)
  })

  it('says that the session is over when the bot says so, and takes the buttons away', async () => {
    server.answer('POST /api/nodes/n2/test', refused(401, 'unauthorized'))
    await asAdmin(async (page) => {
      await button(page, 'Test', 'Birch').click()
      await page.locator('.notice').getByText('Your admin session is over.').waitFor()
      await expect.poll(() => page.locator('.acts:visible').count()).toBe(0)
      await outcome(page, 1).getByText('Your admin session is over.').waitFor()
      await expect.poll(() => focused(page)).toBe('status')
    }, true)
  })

  it('reaches what can be done in a pool of many, too', async () => {
    server.show(many())
    server.answer('POST /api/nodes/m7/test', done({ spoke: true, tookMs: 500, reason: null, inLog: null }))
    await asAdmin(async (page) => {
      await page.getByRole('searchbox').fill('Hikari 008')
      await page.getByTestId('node').locator('summary').first().press('Enter')
      await button(page, 'Test', 'Hikari 008').click()
      await outcome(page, 0).getByText('It spoke after 0.50 s.').waitFor()
      server.show(snapshotOf())
      await page.getByText('No node is like that.').waitFor()
      await page.getByRole('button', { name: 'Show all nodes' }).click()
      await expect.poll(() => page.getByTestId('node').count()).toBe(3)
    })
  })

  it('keeps in sight, with the focus, whom somebody has disabled among many, until they look for another', async () => {
    const pool = many()
    const [first, ...others] = pool.nodes
    server.show(pool)
    server.answer('POST /api/nodes/m0/disable', done({}))
    await asAdmin(async (page) => {
      const cards = page.getByTestId('node')
      await cards.first().locator('summary').first().press('Enter')
      await button(page, 'Disable', 'Aoi 001').press('Enter')
      await outcome(page, 0).getByText('Disabled.').waitFor()
      server.show({ ...pool, nodes: [...others, { ...first!, state: 'disabled' }] })
      await cards.first().getByText('Birch 002').waitFor()
      await expect.poll(() => cards.count()).toBe(25)
      await outcome(page, 24).getByText('Disabled.').waitFor()
      await expect.poll(() => focused(page)).toBe('Test \u2068Aoi 001\u2069')
      await page.getByRole('button', { name: 'Show 75 more' }).click()
      await expect.poll(() => page.evaluate("document.activeElement.querySelector('.label').textContent")).toBe(others[24]!.label)
      await page.getByRole('searchbox').fill('birch')
      await expect.poll(() => cards.count()).toBe(10)
    })
  })

  it('keeps its small cards when the pool becomes small: the outcome, the focus and what is open', async () => {
    const pool = many()
    server.show({ ...pool, nodes: pool.nodes.slice(0, 13) })
    server.answer('POST /api/nodes/m0/test', done({ spoke: true, tookMs: 500, reason: null, inLog: null }))
    await asAdmin(async (page) => {
      await page.getByTestId('node').first().locator('summary').first().press('Enter')
      await button(page, 'Test', 'Aoi 001').press('Enter')
      await outcome(page, 0).getByText('It spoke after 0.50 s.').waitFor()
      server.show({ ...pool, nodes: pool.nodes.slice(0, 12) })
      await expect.poll(() => page.getByTestId('node').count()).toBe(12)
      await expect.poll(() => outcome(page, 0).isVisible()).toBe(true)
      await expect.poll(() => focused(page)).toBe('Test \u2068Aoi 001\u2069')
    })
  })

  it.each([['that moves without', ''], ['that does not', 'delete Element.prototype.moveBefore']])(
    'leaves the focus at the node, whose card goes elsewhere with its state, in a browser %s',
    async (_, script) => {
      const pool = degraded()
      const [first, birch, ...others] = pool.nodes
      server.answer('POST /api/nodes/n2/disable', done({}))
      server.answer('POST /api/nodes/n2/enable', done({}))
      become()
      await visitPage('', {}, async (page) => {
        await page.addInitScript(script)
        await page.goto(server.url)
        await page.getByText('You are admin').waitFor()
        await button(page, 'Disable', 'Birch').press('Enter')
        await outcome(page, 1).getByText('Disabled.').waitFor()
        server.show({ ...pool, nodes: [first!, ...others, { ...birch!, state: 'disabled' }] })
        await outcome(page, 4).getByText('Disabled.').waitFor()
        await expect.poll(() => focused(page)).toBe('Test \u2068Birch\u2069')
        await button(page, 'Enable', 'Birch').press('Enter')
        await outcome(page, 4).getByText('Enabled.').waitFor()
        server.show({ ...pool, nodes: [first!, { ...birch!, state: 'joining' }, ...others] })
        await outcome(page, 1).getByText('Enabled.').waitFor()
        await expect.poll(() => focused(page)).toBe('Test \u2068Birch\u2069')
      })
    }
  )

  it('tells what is under way, and what came of it, in another language too', async () => {
    let answer: (given: Answer) => void = () => {}
    server.answer('POST /api/nodes/n1/test', new Promise((resolve) => (answer = resolve)))
    await asAdmin(async (page) => {
      await button(page, 'Test', 'Aoi').click()
      await outcome(page, 0).getByText('Speaking a test').waitFor()
      await page.locator('.language').selectOption('ko')
      await outcome(page, 0).getByText('최대 40초').waitFor()
      await expect.poll(() => page.getByTestId('node').first().locator('.acts button[aria-disabled=true]').count()).toBe(4)
      answer(done({ spoke: true, tookMs: 820, reason: null, inLog: null }))
      await outcome(page, 0).getByText('0.82초').waitFor()
      await page.locator('.language').selectOption('en')
      await outcome(page, 0).getByText('It spoke after 0.82 s.').waitFor()
    })
  })
})
