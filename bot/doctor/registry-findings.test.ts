import { describe, expect, it } from 'vitest'
import { registryFindings } from './registry-findings.ts'
import type { ListSeen } from './see-registry.ts'

describe('what to do about a registry', () => {
  const list = { servers: [], badRows: 1, nowMs: 0, warning: 'no key', usage: undefined, tookMs: 1, atMs: 0, actionsSaid: 'expected ?action= one of list' }
  const AT_GOOGLE = { host: 'script.google.com', embedded: false }
  const EMBEDDED = { host: '127.0.0.1:8080', embedded: true }
  const stepsOf = (at: { host: string; embedded: boolean }, more: Partial<ListSeen> = {}) =>
    registryFindings({ state: 'listed', ...at, list: { ...list, ...more } }, true).flatMap(({ id, nextStep }) => (/\.(?:open|bad-rows|old|version-unseen)$/.test(id) ? [nextStep] : []))

  it('names sheet and script where it is Google’s, and nowhere else', () => {
    const steps = (at: { host: string; embedded: boolean }) => [...stepsOf(at), ...stepsOf(at, { actionsSaid: undefined }).slice(-1)]
    expect(steps(AT_GOOGLE)).toEqual(Array.from({ length: 4 }, () => expect.stringMatching(/sheet|script|deploy:gas/) as string))
    for (const at of [EMBEDDED, { host: 'bot.example.org', embedded: false }]) {
      expect(steps(at)).toHaveLength(4)
      expect(steps(at).join()).not.toMatch(/sheet|script|deploy:gas/)
    }
  })

  it('sends from a bot without the doctor’s key to the settings of both', () => {
    expect(stepsOf(EMBEDDED)).toContain('Start the bot again with the REGISTRY_KEY that the doctor has, or leave it out for the doctor as well.')
  })
})
