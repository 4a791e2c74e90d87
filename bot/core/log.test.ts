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

  it('stays one JSON line', () => {
    expect(JSON.parse(logged((log) => log.warn({ node: 'a' }, 'node fault')))).toMatchObject({ level: 'warn', node: 'a', msg: 'node fault' })
  })
})
