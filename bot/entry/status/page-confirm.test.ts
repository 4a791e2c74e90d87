import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noChromium } from '../../../sandbox/chromium.ts'
import { visitPage } from '../../../sandbox/visit-page.ts'
import { empty, nodeView, snapshotOf } from './test-snapshots.ts'
import { startStatusServer } from './test-status-server.ts'
import type { Answer, StatusServer } from './test-status-server.ts'

describe.skipIf(noChromium)('a node that changes, or leaves, while an admin deals with it', () => {
  let server: StatusServer

  beforeEach(async () => {
    server = await startStatusServer({ snapshot: snapshotOf() })
    server.answer('GET /api/session', { status: 200, body: { isAdmin: true, until: Date.now() + 3_600_000 } })
  })
  afterEach(() => server.close())

  const without = (id: string) => snapshotOf({ nodes: snapshotOf().nodes.filter((node) => node.id !== id) })
  const posts = () => server.asked.filter(({ method }) => method !== 'GET')
  const press = (page: Page, act: string) => page.getByRole('button', { name: new RegExp(`^${act} .*Aoi`) }).press('Enter')
  const sentences = (page: Page) => page.locator('#confirm-more p').allTextContents()
  const notice = (page: Page) => page.locator('.notice:visible p')
  const focused = (page: Page) => page.evaluate<string>('document.activeElement.id || document.activeElement.textContent')

  async function asAdmin(visit: (page: Page) => Promise<void>): Promise<void> {
    await visitPage(server.url, { mayFail: true }, async (page) => {
      await page.getByText('You are admin').waitFor()
      await visit(page)
    })
  }

  it('is asked about as it is now, with the focus where it was', async () => {
    await asAdmin(async (page) => {
      await press(page, 'Disable')
      await expect.poll(() => sentences(page)).toEqual(['It is used by 4 members now, to whom other nodes are given when they speak next.'])
      server.show(snapshotOf({ nodes: [nodeView({ label: 'Aoi 2', members: 9, isAlone: true })] }))
      await page.getByRole('dialog', { name: /Disable .*Aoi 2.*\?/ }).waitFor()
      await expect.poll(() => sentences(page)).toEqual(['It is used by 9 members now, to whom other nodes are given when they speak next.', 'It is the only node that can speak now. Without it nobody is heard.'])
      await expect.poll(() => focused(page)).toBe('Cancel')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(posts()).toEqual([])
    })
  })

  it.each([['others stay', () => without('n1')], ['none stays', empty]])('is asked about no more when it has left, and that is said: %s', async (_, left) => {
    await asAdmin(async (page) => {
      await press(page, 'Disable')
      await page.getByRole('dialog').waitFor()
      server.show(left())
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await expect.poll(() => notice(page).textContent()).toContain('\u2068Aoi\u2069 has left the pool.')
      await expect.poll(() => focused(page)).toBe('status')
      expect(posts()).toEqual([])
    })
  })

  it('is asked about no more when the session is over', async () => {
    await asAdmin(async (page) => {
      await press(page, 'Disable')
      await page.getByRole('dialog').waitFor()
      server.answer('GET /api/session', { status: 200, body: { isAdmin: false, until: null } })
      server.show(snapshotOf({ startedAt: Date.now() }))
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await expect.poll(() => notice(page).textContent()).toContain('Your admin session is over.')
      await expect.poll(() => focused(page)).toBe('status')
    })
  })

  it.each<[string, Answer, string]>([
    ['well', { status: 200, body: { ok: true, result: { spoke: true, tookMs: 820, reason: null, inLog: null } } }, '\u2068Aoi\u2069 has left the pool. It spoke after 0.82 s.'],
    ['refused', { status: 404, body: { ok: false, error: { code: 'unknown_node' } } }, '\u2068Aoi\u2069 has left the pool. It is not in the pool any more.'],
    ['no admin', { status: 401, body: { ok: false, error: { code: 'unauthorized' } } }, 'Your admin session is over.']
  ])('is told of, too, when the answer comes after it has left: %s', async (_, given, words) => {
    let answer: (given: Answer) => void = () => {}
    server.answer('POST /api/nodes/n1/test', new Promise((resolve) => (answer = resolve)))
    await asAdmin(async (page) => {
      await press(page, 'Test')
      await page.getByText('Speaking a test').waitFor()
      server.show(without('n1'))
      await expect.poll(() => page.getByTestId('node').count()).toBe(2)
      await expect.poll(() => focused(page)).toBe('status')
      answer(given)
      await expect.poll(() => notice(page).textContent()).toContain(words)
    })
  })

  it('is told of in the language that is chosen', async () => {
    await asAdmin(async (page) => {
      await press(page, 'Disable')
      await page.getByRole('dialog').waitFor()
      server.show(without('n1'))
      await notice(page).waitFor()
      await page.locator('.language').selectOption('ja')
      await expect.poll(() => notice(page).textContent()).toBe('\u2068Aoi\u2069 は抜けました。')
    })
  })
})
