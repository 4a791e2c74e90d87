import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium, noChromium } from './chromium.ts'

const MAIN = fileURLToPath(new URL('../bot/main.ts', import.meta.url))

/** `npm start` as a new user does it, and the page in their browser. */
describe.skipIf(noChromium)('a rehearsal in Chromium', () => {
  let child: ChildProcess
  let browser: Browser
  let pageUrl: string

  beforeAll(async () => {
    child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
      env: { PATH: process.env['PATH'] ?? '', DATA_DIR: mkdtempSync(join(tmpdir(), 'voxpool-rehearsal-')), HTTP_PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit']
    })
    pageUrl = await new Promise((resolve, reject) => {
      let said = ''
      child.stdout?.on('data', (text: Buffer) => {
        said += text.toString()
        const [, url] = /Open (http:\S+)/.exec(said) ?? []
        if (url !== undefined) resolve(url)
      })
      child.once('exit', () => reject(new Error(`the rehearsal ended: ${said}`)))
    })
    browser = await launchChromium()
  })

  afterAll(async () => {
    await browser.close()
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    expect((await exited)[0]).toBe(0)
  })

  it('type /say, see the reply, see that audio was received', async () => {
    const page = await browser.newPage({ locale: 'en-US' })
    await page.goto(pageUrl)
    await page.getByTestId('voice-join').click()
    await page.getByTestId('composer').fill('/say Hello there!')
    await page.keyboard.press('Enter')
    await page.getByTestId('message-text').filter({ hasText: 'Said in' }).waitFor()
    // espeak says it in a second or so: dozens of packets.
    await expect.poll(async () => Number(await page.getByTestId('heard-packets').textContent())).toBeGreaterThan(20)
    await expect.poll(() => page.getByTestId('heard-utterances').textContent()).toBe('1')
  })

  it('a file comes with a player', async () => {
    const page = await browser.newPage({ locale: 'en-US' })
    await page.goto(pageUrl)
    await page.getByTestId('composer').fill('/say text:Hello from a file. deliver:file')
    await page.keyboard.press('Enter')
    await page.getByTestId('attachment-player').waitFor()
  })
})
