import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { launchChromium, noChromium } from '../chromium.ts'
import { startSandbox } from '../start.ts'
import type { Sandbox } from '../start.ts'
import { startSayBot } from './test-say-bot.ts'

describe.skipIf(noChromium)('the page in Chromium', () => {
  let sandbox: Sandbox
  let bot: Awaited<ReturnType<typeof startSayBot>>
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let faults: string[]

  beforeAll(async () => {
    sandbox = await startSandbox()
    bot = await startSayBot(sandbox)
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser.close()
    await bot.close()
    await sandbox.close()
  })
  beforeEach(async () => {
    context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' })
    page = await context.newPage()
    faults = []
    page.on('pageerror', (error) => faults.push(error.message))
    await page.goto(sandbox.pageUrl)
    await page.getByPlaceholder('Message #general').waitFor()
  })
  afterEach(async () => {
    await context.close()
    for (const guild of sandbox.world.guilds.values()) {
      for (const userId of [...guild.voiceStates.keys()]) if (userId !== bot.client.user.id) sandbox.act.leaveVoice(userId, guild.id)
    }
    expect(faults).toEqual([])
  })

  const composer = () => page.getByTestId('composer')
  const lastMessage = () => page.getByTestId('message').last()
  const number = async (testId: string) => Number(await page.getByTestId(testId).textContent())

  it('speaks to whoever joined: the reply is read, the voice is heard, and can be heard again', async () => {
    await page.getByTestId('voice-join').click()
    await page.getByRole('button', { name: 'Leave as Mina' }).waitFor()
    await composer().click()
    await page.keyboard.type('/say Hello')
    await page.keyboard.press('Enter')
    await lastMessage().getByText('Speaking: Hello (any voice)').waitFor()
    await expect.poll(() => lastMessage().textContent()).toContain('Mina used /say')
    await expect.poll(() => number('heard-packets')).toBe(50)
    await expect.poll(() => number('heard-utterances')).toBe(1)
    await expect.poll(() => page.getByTestId('hear-live').textContent()).toBe('Sound on')

    const replay = page.getByTestId('heard-last')
    await expect.poll(() => replay.getByTestId('heard-replay-time').textContent()).toBe('0:01')
    await replay.getByRole('button', { name: 'Play last utterance' }).click()
    await replay.getByRole('button', { name: 'Pause last utterance' }).waitFor()
  })

  it('has a switch for the sound, which stays as it was left', async () => {
    const toggle = page.getByTestId('hear-live')
    await expect.poll(() => toggle.textContent()).toBe('Click for sound')
    await toggle.click()
    await page.getByText('Sound on').waitFor()
    await toggle.click()
    await page.getByText('Sound off').waitFor()
    await page.reload()
    await page.getByPlaceholder('Message #general').waitFor()
    await composer().click()
    await expect.poll(() => toggle.textContent()).toBe('Sound off')
  })

  it('sends a file to whoever is in no voice channel, with a player that plays it', async () => {
    await composer().fill('/say text:As a file')
    await page.keyboard.press('Enter')
    await lastMessage().getByText('File: As a file').waitFor()
    const player = lastMessage().getByTestId('attachment-player')
    await expect.poll(() => player.getByTestId('attachment-player-time').textContent()).toBe('0:01')
    await player.getByRole('button', { name: 'Play say.ogg' }).click()
    await player.getByRole('button', { name: 'Pause say.ogg' }).waitFor()
    await player.getByRole('button', { name: 'Play say.ogg' }).waitFor()
  })

  it('leads through a command by keys alone: list, fields, what is missing, suggestions', async () => {
    await composer().focus()
    await page.keyboard.type('/s')
    await page.getByRole('option', { name: '/say' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByLabel('text').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('This one is required.').waitFor()
    await page.keyboard.type('By keys')
    await page.getByRole('button', { name: '+ voice' }).press('Enter')
    await page.getByRole('option', { name: 'Heart' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await lastMessage().getByText('File: By keys (heart)').waitFor()
    await expect.poll(() => composer().inputValue()).toBe('')
  })

  it('shows administrators more than others, and everybody their own language', async () => {
    await composer().fill('/')
    await expect.poll(() => page.getByTestId('suggestion').allTextContents()).toEqual(['/auditFor administrators', '/saySpeak a text'])
    await page.getByRole('radio', { name: 'Haru' }).click()
    await composer().fill('/')
    await expect.poll(() => page.getByTestId('suggestion').allTextContents()).toEqual(['/say読み上げます'])
    await composer().fill('/audit')
    await page.keyboard.press('Enter')
    await page.getByText('There is no command /audit here.').waitFor()
  })

  it('says when the application did not respond', async () => {
    await composer().fill('/audit')
    await page.keyboard.press('Enter')
    await page.getByText('Sending to Voxpool…').waitFor()
    await page.getByTestId('interaction-failed').waitFor()
  })

  it('shows what people write as text, never as markup', async () => {
    await composer().fill('**bold** <img src=x onerror="document.title=1"> <b>no</b>')
    await page.keyboard.press('Enter')
    const text = lastMessage().getByTestId('message-text')
    await expect.poll(() => text.textContent()).toBe('bold <img src=x onerror="document.title=1"> <b>no</b>')
    await expect.poll(() => text.locator('strong').textContent()).toBe('bold')
    await expect.poll(() => text.locator('img, b').count()).toBe(0)
  })

  it('fits a phone: nothing runs out at the side, and the sides are drawers', async () => {
    await page.setViewportSize({ width: 400, height: 800 })
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(400)
    await page.getByRole('button', { name: 'Voice channel Lounge' }).click()
    await page.getByTestId('voice-join').click()
    await page.getByRole('button', { name: 'Leave as Mina' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByTestId('voice-join').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Channels and members' }).click()
    await page.getByRole('button', { name: 'read-aloud' }).click()
    await page.getByPlaceholder('Message #read-aloud').waitFor()
  })

  it('says when the connection is lost, and comes back with a fresh state', async () => {
    await context.route('**/sandbox/events', (route) => route.abort())
    await page.reload()
    await page.getByText('The connection to the sandbox is lost').waitFor()
    sandbox.act.sendMessage([...sandbox.world.users.values()].find((user) => user.displayName === 'Alex')!.id, [...[...sandbox.world.guilds.values()][0]!.channels.values()][0]!.id, 'meanwhile')
    await context.unroute('**/sandbox/events')
    await page.getByRole('button', { name: 'Retry now' }).click()
    await lastMessage().getByText('meanwhile').waitFor()
    await expect.poll(() => page.locator('#banner').isVisible()).toBe(false)
  })
})
