import { describe, expect, it } from 'vitest'
import { createLog } from './log.ts'

function logged(write: (log: ReturnType<typeof createLog>) => void, secrets: string[] = []): string {
  const lines: string[] = []
  write(createLog('info', secrets, { write: (line) => lines.push(line) }))
  return lines.join('')
}

describe('the log', () => {
  it('hides what stands under a secret’s name', () => {
    const line = logged((log) => log.info({ token: 'abc', headers: { authorization: 'Bearer abc' } }, 'x'))
    expect(line).toContain('[hidden]')
    expect(line).not.toContain('abc')
  })

  it('hides a secret wherever it stands, an error’s message too', () => {
    const line = logged((log) => log.error({ err: new Error('GET https://x/?key=s3cret-value failed') }, 's3cret-value'), ['s3cret-value'])
    expect(line).not.toContain('s3cret-value')
    expect(line).toContain('[hidden]')
  })

  it('never holds the request that a library’s error carries, or an address that is a key', () => {
    const error = Object.assign(new Error('PATCH https://discord.com/api/v10/webhooks/123/aW50ZXJhY3Rpb24tdG9rZW4/messages/@original failed'), {
      code: 50035, status: 400, url: 'https://discord.com/api/v10/webhooks/123/aW50ZXJhY3Rpb24tdG9rZW4', requestBody: { json: { content: 'what was said' }, files: [Buffer.alloc(100)] }
    })
    const line = logged((log) => log.warn({ err: new Error('outer', { cause: error }) }, 'x'))
    expect(line).not.toMatch(/aW50ZXJh|what was said|requestBody/)
    expect(line).toMatch(/50035/)
    expect(line).toMatch(/webhooks\/123\/\[hidden\]/)
  })

  it('stays one JSON line', () => {
    expect(JSON.parse(logged((log) => log.warn({ node: 'a' }, 'node fault')))).toMatchObject({ level: 'warn', node: 'a', msg: 'node fault' })
  })
})
