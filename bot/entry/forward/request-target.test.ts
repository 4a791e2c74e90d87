import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { requestTarget } from './request-target.ts'

describe('a request’s target', () => {
  it.each([
    ['/a/b?c=d&e', { path: '/a/b', query: '?c=d&e', host: undefined }],
    ['/', { path: '/', query: '', host: undefined }],
    ['/a?', { path: '/a', query: '?', host: undefined }],
    ['http://Host:81/a?b', { path: '/a', query: '?b', host: 'Host:81' }],
    ['https://host', { path: '/', query: '', host: 'host' }],
    ['http://host?b', { path: '/', query: '?b', host: 'host' }],
    ['/a//b', { path: '/a//b', query: '', host: undefined }],
    ['/a?..%2f..', { path: '/a', query: '?..%2f..', host: undefined }]
  ])('%s is read', (given, expected) => {
    expect(requestTarget(given)).toEqual({ ok: true, ...expected })
  })

  it.each(['', '*', 'host:80', 'ftp://host/a', '//host/a', 'http://host//a', '/a#b', '/a b', '/a\\b', '/\u00e9', '/a/../b', '/a/..', '/a/./b', '/..;/b', '/%2e%2e/b', '/%25252e./b', '/a%00', '/a%2500'])(
    '%j is refused',
    (given) => {
      expect(requestTarget(given).ok).toBe(false)
    }
  )

  it('is passed on as it came, and never leads out of the folder that it names, however often it is decoded', () => {
    const piece = fc.oneof(fc.constantFrom('..', '.', '%2e', '%2E%2e', '%252e', '%2f', '%5c', '/', '//', 'a', '%25', ';', '%00', '?', '%c0%ae'), fc.string({ maxLength: 3 }))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const given = `/work/${pieces.join('')}`
        const target = requestTarget(given)
        if (!target.ok) return
        expect(target.path + target.query).toBe(given)
        let path = target.path
        for (let times = 0; times < 4; times++) {
          expect(new URL(path.replace(/\\/g, '/'), 'http://host').pathname.startsWith('/work/')).toBe(true)
          path = path.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
        }
      }),
      { numRuns: 2_000 }
    )
  })
})
