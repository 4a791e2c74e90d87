import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { launchChromium, noChromium } from './chromium.ts'
import { openStage } from './stage.ts'
import type { Stage } from './stage.ts'

describe.skipIf(noChromium)('the settings in Chromium, by keys alone', () => {
  let stage: Stage
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let faults: string[]

  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser.close())
  beforeEach(async () => {
    stage = await openStage()
    context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-US' })
    page = await context.newPage()
    faults = []
    page.on('pageerror', (error) => faults.push(error.message))
    await page.goto(stage.sandbox.pageUrl)
    await page.getByPlaceholder('Message #general').waitFor()
    await page.getByTestId('composer').fill('/settings')
    await page.keyboard.press('Enter')
    await panel().getByRole('heading', { name: 'Who is read' }).waitFor()
  })
  afterEach(async () => {
    await context.close()
    await stage.close()
    expect(faults).toEqual([])
  })

  const panel = () => page.getByTestId('message').last()
  const kept = () => stage.bot.app.settings.get(stage.guildId)
  const focused = () => page.evaluate<string>('document.activeElement.textContent.trim()')

  it('ticks what is wanted, sees it saved, and is still where it was', async () => {
    await panel().locator('summary', { hasText: 'None of these is on' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await page.keyboard.press('Escape')
    await panel().getByText('Saved.').waitFor()
    expect(kept()).toMatchObject({ readsBots: true, readsWebhooks: false, onlyInVoice: true })
    await expect.poll(() => focused()).toBe('Other bots, Only people in the voice channel')
    // Folding it up again without a change asks for nothing.
    const before = stage.sandbox.world.interactions.size
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await panel().getByRole('button', { name: 'Coming and going' }).press('Enter')
    await panel().getByRole('heading', { name: 'Coming and going' }).waitFor()
    expect(stage.sandbox.world.interactions.size).toBe(before + 1)
    await expect.poll(() => focused()).toBe('Coming and going')
  })

  it('chooses one of several, and a role, which it can leave again', async () => {
    const roles = panel().getByRole('combobox', { name: 'Everybody is read' })
    await expect.poll(() => roles.locator('option').allTextContents()).not.toContain('@@everyone')
    await roles.selectOption({ label: '@Admins' })
    await panel().getByText('Only members with @Admins are read').waitFor()
    await panel().getByRole('combobox', { name: 'Everybody is read' }).selectOption({ label: 'None' })
    await expect.poll(() => kept().readerRoleId).toBeNull()
    await panel().getByRole('button', { name: 'How it is read' }).press('Enter')
    await panel().locator('select', { hasText: 'Links: left out' }).selectOption({ label: 'Links: the name of the site' })
    await expect.poll(() => kept().links).toBe('site')
  })

  it('fills in the form; Escape leaves everything as it was', async () => {
    await panel().getByRole('button', { name: 'How it is read' }).press('Enter')
    await panel().getByRole('button', { name: 'Length and skipping…' }).press('Enter')
    const form = page.getByRole('dialog', { name: 'How it is read' })
    await form.getByLabel('Characters that are read of a message').waitFor()
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })

    await panel().getByRole('button', { name: 'Length and skipping…' }).press('Enter')
    await form.waitFor()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('5')
    await page.keyboard.press('Enter')
    await panel().getByText('a whole number from 10 to 2000').waitFor()
    expect(kept().maxLength).toBe(300)

    await panel().getByRole('button', { name: 'Length and skipping…' }).press('Enter')
    await form.waitFor()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('120')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('Delete')
    await page.keyboard.press('Enter')
    await panel().getByText('At most 120 characters').waitFor()
    expect(kept()).toMatchObject({ maxLength: 120, skipPrefix: '' })
  })

  it('shows a manager without the right to it the manager role, shut', async () => {
    const admins = [...(stage.sandbox.world.guilds.get(stage.guildId)?.roles.values() ?? [])].find(({ name }) => name === 'Admins')
    if (admins === undefined) throw new Error('no such role')
    stage.bot.app.settings.change(stage.guildId, { managerRoleId: admins.id })
    stage.sandbox.act.setPermissions(stage.guildId, admins.id, 0n)
    stage.sandbox.world.guilds.get(stage.guildId)?.members.get(stage.person('Alex'))?.roleIds.push(admins.id)
    await page.getByRole('radio', { name: 'Alex' }).click()
    await page.getByTestId('composer').fill('/settings')
    await page.keyboard.press('Enter')
    await panel().getByRole('button', { name: 'This server' }).press('Enter')
    await panel().getByText('Manager role: @Admins').waitFor()
    await expect.poll(() => panel().getByRole('combobox', { name: 'No manager role' }).isDisabled()).toBe(true)
  })
})
