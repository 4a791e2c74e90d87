import { describe, expect, it } from 'vitest'
import { manualClock } from '../core/manual-clock.ts'
import { isAllowedAddress } from './address.ts'
import { createNodeClient } from './client.ts'

const HOSTS = ['.trycloudflare.com', 'voice.example.org', '127.0.0.1']

describe('where a node may live', () => {
  it.each([
    ['https://fond-lamp.trycloudflare.com', true],
    ['https://a.b.trycloudflare.com:8443/base', true],
    ['https://voice.example.org', true],
    ['http://127.0.0.1:8000', true],
    ['https://127.0.0.1:8000', true],
    ['https://trycloudflare.com', false],
    ['https://.trycloudflare.com', false],
    ['https://eviltrycloudflare.com', false],
    ['https://trycloudflare.com.evil.example', false],
    ['https://x.voice.example.org', false],
    ['http://fond-lamp.trycloudflare.com', false],
    ['http://localhost:8000', false],
    ['https://169.254.169.254', false],
    ['https://voice.example.org@evil.example', false],
    ['https://user:pass@voice.example.org', false],
    ['ftp://voice.example.org', false],
    ['not an address', false]
  ])('%s: %s', (apiUrl, allowed) => {
    expect(isAllowedAddress(apiUrl, HOSTS)).toBe(allowed)
  })

  it('is asked before anything is sent', async () => {
    const client = createNodeClient({ clock: manualClock(), nodeKey: 'secret', hosts: ['.trycloudflare.com'] })
    await expect(client.health('http://127.0.0.1:1')).rejects.toMatchObject({ code: 'NODE_FORBIDDEN_HOST' })
    await client.close()
  })
})
