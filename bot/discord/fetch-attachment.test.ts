import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../core/clock.ts'
import { manualClock } from '../core/manual-clock.ts'
import { fetchAttachment, isDiscordsFile } from './fetch-attachment.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A server that counts who asks. */
async function serve(listener: RequestListener): Promise<{ origin: string; asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    listener(request, response)
  })
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const options = (origin: string) => ({ clock: systemClock, apiUrl: `${origin}/api`, maxBytes: 1_000 })

describe('a file that somebody sent', () => {
  it('is fetched whole from where the API is', async () => {
    const { origin, asked } = await serve((_, response) => void response.end('a'.repeat(1_000)))
    const fetched = await fetchAttachment({ url: `${origin}/attachments/1/2/x.csv`, size: 1_000 }, options(origin))
    expect(fetched.ok && Buffer.from(fetched.bytes).toString()).toBe('a'.repeat(1_000))
    expect(asked).toEqual(['/attachments/1/2/x.csv'])
  })

  it('is not asked for when it is said to be too large, and given up when it is, whatever was said', async () => {
    const { origin, asked } = await serve((_, response) => void response.end('a'.repeat(500_000)))
    expect(await fetchAttachment({ url: `${origin}/x`, size: 1_001 }, options(origin))).toEqual({ ok: false, reason: 'tooLarge' })
    expect(asked).toEqual([])
    expect(await fetchAttachment({ url: `${origin}/x`, size: 10 }, options(origin))).toEqual({ ok: false, reason: 'tooLarge' })
  })

  it('is given up when it never ends', async () => {
    const { origin } = await serve((_, response) => {
      response.writeHead(200)
      const more = setInterval(() => response.write('a'.repeat(100)), 1)
      response.on('close', () => clearInterval(more))
    })
    expect(await fetchAttachment({ url: `${origin}/x`, size: 10 }, options(origin))).toEqual({ ok: false, reason: 'tooLarge' })
  })

  it('is given up after a while when nothing comes', async () => {
    const clock = manualClock()
    const { origin, asked } = await serve(() => undefined)
    const fetched = fetchAttachment({ url: `${origin}/x`, size: 10 }, { ...options(origin), clock })
    await expect.poll(() => asked.length).toBe(1)
    await clock.advance(10_000)
    expect(await fetched).toEqual({ ok: false, reason: 'unreachable' })
  })

  it.each([404, 500, 301, 302, 204])('is not there when the answer is %i', async (status) => {
    const other = await serve((_, response) => void response.end('secret'))
    const { origin } = await serve((_, response) => void response.writeHead(status, { location: `${other.origin}/x` }).end())
    expect(await fetchAttachment({ url: `${origin}/x`, size: 10 }, options(origin))).toEqual({ ok: false, reason: 'unreachable' })
    expect(other.asked).toEqual([])
  })

  it('is not there when nobody answers', async () => {
    const { origin } = await serve((_, response) => void response.socket?.destroy())
    expect(await fetchAttachment({ url: `${origin}/x`, size: 10 }, options(origin))).toEqual({ ok: false, reason: 'unreachable' })
  })

  it('is never looked for elsewhere', async () => {
    const { origin, asked } = await serve((_, response) => void response.end('x'))
    expect(await fetchAttachment({ url: `${origin.replace('127.0.0.1', 'localhost')}/x`, size: 10 }, options(origin))).toEqual({ ok: false, reason: 'unreachable' })
    expect(asked).toEqual([])
  })

  it.each([
    ['https://cdn.discordapp.com/attachments/1/2/x.csv?ex=1', true],
    ['https://media.discordapp.net/ephemeral-attachments/1/2/x.csv', true],
    ['http://127.0.0.1:9000/attachments/1/2/x.csv', true],
    ['http://127.0.0.1:9001/attachments/1/2/x.csv', false],
    ['https://127.0.0.1:9000/x', false],
    ['http://localhost:9000/x', false],
    ['http://cdn.discordapp.com/x', false],
    ['https://cdn.discordapp.com:8443/x', false],
    ['https://cdn.discordapp.com.example.org/x', false],
    ['https://example.org/cdn.discordapp.com', false],
    ['https://cdn.discordapp.com@example.org/x', false],
    ['https://me:secret@cdn.discordapp.com/x', false],
    ['http://me@127.0.0.1:9000/x', false],
    ['http://169.254.169.254/x', false],
    ['file:///etc/passwd', false],
    ['nonsense', false]
  ])('%s: %s', (url, allowed) => {
    expect(isDiscordsFile(url, 'http://127.0.0.1:9000/api')).toBe(allowed)
  })
})
