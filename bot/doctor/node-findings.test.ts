import { describe, expect, it } from 'vitest'
import { VoxError } from '../core/errors.ts'
import type { FaultCode } from '../core/errors.ts'
import { isAllowedAddress } from '../nodes/address.ts'
import { nodeFindings } from './node-findings.ts'
import { reportOf } from './report.ts'
import type { NodeLook, NodeSeen } from './see-nodes.ts'

const seen = (serverId: string, look: NodeLook, apiUrl = 'https://node.example.org'): NodeSeen => ({
  row: { serverId, color: '', label: '', apiUrl, enabled: true, capacity: 1, concurrency: 1, lastSeen: 1 },
  ageMs: 0,
  look
})
const failing = (code: FaultCode, context: Record<string, unknown> = {}, apiUrl?: string) => seen('a', { at: 'health', error: new VoxError(code, context) }, apiUrl)

describe('what the doctor makes of the nodes', () => {
  it('does not say of a node that its name does not exist where the name could not be looked up, nor that a pool is well where all were busy', () => {
    const unresolved = (code: string) => seen('a', { at: 'health', error: new VoxError('NODE_UNRESOLVED', { code }) })
    const busy = seen('b', { at: 'spoke', test: { answered: { ok: false, error: new VoxError('NODE_BUSY') }, logged: { found: 'yes' }, requestId: 'r1' } as never })
    const told = (...nodes: NodeSeen[]) => {
      const { exitCode, findings } = reportOf(nodeFindings(nodes, true))
      return [exitCode, ...findings.map(({ id, level }) => `${level} ${id}`)]
    }
    expect(told(unresolved('ENOTFOUND'))).toEqual([2, 'broken node.unresolved', 'unseen node.unseen', 'broken nodes.none-usable'])
    expect(told(unresolved('EAI_AGAIN'))).toEqual([1, 'unseen node.name-unseen', 'unseen node.unseen', 'unseen nodes.unseen'])
    expect(told(busy)).toEqual([1, 'note node.busy', 'unseen nodes.unseen'])
  })

  it('does not send to mend what only was switched off or ended itself', () => {
    const last = (...nodes: NodeSeen[]) => nodeFindings(nodes, true).at(-1)?.nextStep
    expect(last(seen('a', { at: 'disabled' }))).toMatch(/^Enable one/)
    expect(last(seen('a', { at: 'disabled' }), seen('b', { at: 'left' }))).toBe('Start one of the nodes above again, or enable one.')
  })

  it('does not call a pool broken that it had no time to ask', () => {
    const { exitCode, findings } = reportOf(nodeFindings([seen('a', { at: 'noTime' }), seen('b', { at: 'notReady' })], true))
    expect([exitCode, findings.map(({ id, level }) => `${level} ${id}`)]).toEqual([1, ['unseen node.unseen', 'warning node.not-ready', 'unseen node.unseen', 'unseen nodes.unseen']])
  })

  it('says of all that were asked only what all of them met', () => {
    const why = (...nodes: NodeSeen[]) => nodeFindings(nodes, true).at(-1)?.message.split('spoke. ')[1]
    const [busy, refused, nameless] = [failing('NODE_BUSY'), failing('NODE_UNREACHABLE'), failing('NODE_UNRESOLVED', { code: 'EAI_AGAIN' })]
    expect([why(busy, busy, seen('d', { at: 'disabled' })), why(busy, refused), why(nameless, nameless), why(refused, nameless), why(busy, seen('t', { at: 'noTime' }))]).toEqual([
      'All that were asked had too much to do.', 'One that was asked had too much to do.',
      'This machine could not look up where they are.', 'This machine could not look up where one of them is.',
      'The time was over before all were asked.'
    ])
  })

  it.each([
    ['NODE_RESET', 'node.unreachable', 'it takes the connection and drops it: the process or its tunnel has ended.'],
    ['TEXT_REFUSED', 'node.failed', 'it refuses what the doctor asks (status 422).'],
    ['VOICE_NOT_HERE', 'node.failed', 'it says that it has no such voice as "auto", which stands for any.'],
    ['BUG', 'node.failed', 'it failed (BUG).']
  ] as const)('has words for %s', (code, id, message) => {
    expect(nodeFindings([failing(code, { status: 422 })], true)[0]).toMatchObject({ id, message })
  })

  it.each([
    ['http://127.0.0.1:8000', '127.0.0.1'],
    ['https://Desk.Example.org/node', 'desk.example.org'],
    ['http://[::1]:8000', '[::1]']
  ])('names the host of %s as NODE_HOSTS has it', (apiUrl, host) => {
    const [fault] = nodeFindings([failing('NODE_FORBIDDEN_HOST', {}, apiUrl)], true)
    expect([fault?.message, fault?.nextStep]).toEqual([`its address is at ${host}, which NODE_HOSTS does not allow.`, `Add ${host} to NODE_HOSTS, if the node is yours; else disable it.`])
    expect(isAllowedAddress(apiUrl, [host])).toBe(true)
  })
})
