import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium, noChromium } from '../chromium.ts'
import { startFaultNode } from '../fault-node.ts'
import type { FaultNode } from '../fault-node.ts'
import { openStage } from '../stage.ts'
import type { Stage } from '../stage.ts'

const { menuEntries } = (await import(new URL('site/command-entries.js', import.meta.url).href)) as {
  menuEntries: (commands: object[], guildId: string, member: object | null) => { name: string; label: string }[]
}

describe('the entries of a message’s menu', () => {
  const menu = (name: string, more: object = {}) => ({ guildId: null, data: { type: 3, name, ...more } })
  const commands = [
    menu('Read', { name_localizations: { ja: '読む' } }),
    menu('Audit', { default_member_permissions: '8' }),
    { ...menu('Away'), guildId: 'other' },
    { guildId: null, data: { name: 'say', description: 'x' } }
  ]

  it('are those for messages of this server, in the member’s language', () => {
    expect(menuEntries(commands, 'here', { permissions: '8', locale: 'ja' })).toEqual([{ name: 'Audit', label: 'Audit' }, { name: 'Read', label: '読む' }])
  })

  it('leave out what the member may not use', () => {
    expect(menuEntries(commands, 'here', { permissions: '0', locale: 'en-US' })).toEqual([{ name: 'Read', label: 'Read' }])
  })
})

describe.skipIf(noChromium)('the menu of a message in Chromium', () => {
  let stage: Stage
  let node: FaultNode
  let browser: Browser

  beforeAll(async () => {
    stage = await openStage()
    node = await startFaultNode({ serverId: 'n1' })
    await stage.register(node)
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser.close()
    await stage.close()
    await node.close()
  })

  it('offers the bot’s entries in one’s own language, and shows what came of it', async () => {
    stage.sandbox.act.sendMessage(stage.person('Mina'), stage.channel('general'), 'Read me.')
    const page = await browser.newPage({ locale: 'en-US' })
    await page.addInitScript((id) => localStorage.setItem('voxpool.acting', id), stage.person('Haru'))
    await page.goto(stage.sandbox.pageUrl)
    const message = page.getByTestId('message').filter({ hasText: 'Read me.' })
    await message.hover()
    await message.getByLabel('Apps').click()
    await page.getByTestId('message-menu-entry').first().waitFor()
    await expect.poll(() => page.getByTestId('message-menu-entry').allTextContents()).toEqual(['自分の声で読み上げる', '読み上げる'])
    await page.getByRole('button', { name: '読み上げる', exact: true }).click()
    await page.getByTestId('message-text').filter({ hasText: '🎧' }).waitFor()
    const reply = page.getByTestId('message').last()
    await expect.poll(() => reply.textContent()).toMatch(/Haru used Read aloud.*Only you can see this/s)
    await expect.poll(() => page.getByTestId('message-menu').first().getAttribute('open')).toBeNull()
  })
})
