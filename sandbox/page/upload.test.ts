import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium, noChromium } from '../chromium.ts'
import { startSandbox } from '../start.ts'
import type { Sandbox } from '../start.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox()
  const file = { type: 11, name: 'file', description: 'What to read', required: true }
  sandbox.world.commands.set('1', { id: '1', guildId: null, data: { name: 'import', description: 'Reads a file', options: [file, { type: 3, name: 'note', description: 'Why' }] } })
})
afterAll(() => sandbox.close())

const guild = () => [...sandbox.world.guilds.values()][0]!
const channelId = () => [...guild().channels.values()][0]!.id
const person = (name: string) => [...sandbox.world.users.values()].find(({ displayName }) => displayName === name)!.id
const slash = (name: string, file: string) => sandbox.act.slash(person(name), channelId(), 'import', { file })
const upload = (name: string, bytes: Uint8Array) => sandbox.act.upload(person(name), channelId(), { filename: 'ä b.csv', contentType: 'text/csv', bytes })

describe('the file of a command', () => {
  it('is sent by its id, and named in what the bot gets', () => {
    const id = upload('Mina', Buffer.from('a,b'))
    expect(slash('Mina', id).data).toMatchObject({ options: [{ name: 'file', type: 11, value: id }], resolved: { attachments: { [id]: { id } } } })
  })

  it('must be there, be one’s own, and not be too large', () => {
    const id = upload('Mina', Buffer.from('a,b'))
    expect(() => slash('Haru', id)).toThrow('file: Choose a file.')
    expect(() => slash('Mina', '123')).toThrow('file: Choose a file.')
    expect(() => upload('Mina', new Uint8Array(guild().uploadLimitBytes + 1))).toThrow('too powerful')
  })

  it('goes when many have come after it', () => {
    const id = upload('Mina', Buffer.from('a,b'))
    for (let count = 0; count < 50; count++) upload('Mina', Buffer.from('x'))
    expect(() => slash('Mina', id)).toThrow('file: Choose a file.')
  })

  it('comes in by the page’s own way', async () => {
    const send = (query: Record<string, string>, body = 'a,b') =>
      fetch(new URL(`/sandbox/act/upload?${new URLSearchParams(query).toString()}`, sandbox.pageUrl), { method: 'POST', body, headers: { origin: new URL(sandbox.pageUrl).origin, 'content-type': 'text/csv' } })
    const place = { userId: person('Mina'), channelId: channelId() }
    const { result } = (await (await send({ ...place, filename: 'words.csv' })).json()) as { result: string }
    expect(sandbox.world.uploads.get(result)).toMatchObject({ filename: 'words.csv', contentType: 'text/csv', userId: person('Mina'), bytes: new Uint8Array(Buffer.from('a,b')) })
    expect((await send(place)).status).toBe(400)
    guild().uploadLimitBytes = 2
    expect(await (await send({ ...place, filename: 'x' })).json()).toEqual({ ok: false, message: 'Your files are too powerful.' })
    guild().uploadLimitBytes = 10 * 1024 * 1024
  })
})

describe.skipIf(noChromium)('a file in the page', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser.close())

  it('is chosen in a field of the command, and missed where it is not', async () => {
    const page = await browser.newPage({ locale: 'en-US' })
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    await page.goto(sandbox.pageUrl)
    await page.getByTestId('composer').fill('/import file:nonsense note:because')
    await page.keyboard.press('Enter')
    await page.getByText('Choose a file.').or(page.getByText('This one is required.')).waitFor()
    await page.getByLabel('file').setInputFiles({ name: 'words.csv', mimeType: 'text/csv', buffer: Buffer.from('GPU,card') })
    await expect.poll(() => [...sandbox.world.uploads.values()].at(-1)?.filename).toBe('words.csv')
    await page.getByLabel('file').and(page.locator('[data-value]')).waitFor()
    await page.getByTestId('send').click()
    await expect.poll(() => [...sandbox.world.interactions.values()].at(-1)?.options).toEqual([
      { name: 'file', type: 11, value: [...sandbox.world.uploads.keys()].at(-1) },
      { name: 'note', type: 3, value: 'because' }
    ])
    expect(Buffer.from([...sandbox.world.uploads.values()].at(-1)?.bytes ?? []).toString()).toBe('GPU,card')
    expect(faults).toEqual([])
    await page.close()
  })
})
