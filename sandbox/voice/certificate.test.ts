import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeCertificate } from './certificate.ts'

test('the certificate is for 127.0.0.1 and localhost, signed by its own key, valid for a year', () => {
  const nowMs = Date.UTC(2026, 0, 2, 3, 4, 5)
  const { certificate, key } = makeCertificate(nowMs)
  const parsed = new X509Certificate(certificate)
  expect(parsed.checkIP('127.0.0.1')).toBe('127.0.0.1')
  expect(parsed.checkHost('localhost')).toBe('localhost')
  expect(parsed.checkHost('example.com')).toBeUndefined()
  expect(parsed.ca).toBe(true)
  expect(parsed.verify(parsed.publicKey)).toBe(true)
  expect(parsed.validFromDate.getTime()).toBe(nowMs - 86_400_000)
  expect(parsed.validToDate.getTime()).toBe(nowMs + 365 * 86_400_000)
  expect(key).toContain('PRIVATE KEY')
})

test('two certificates differ in name, so that both can be trusted in one process', () => {
  const [one, two] = [makeCertificate(), makeCertificate()].map(({ certificate }) => new X509Certificate(certificate).subject)
  expect(one).not.toBe(two)
})
