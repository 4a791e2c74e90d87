import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { tagsBy } from './tag.ts'

it('a node’s tag is the same for the same secret, and by no other can its id be tried out', () => {
  const [ours, theirs] = [tagsBy(Buffer.alloc(32, 1)), tagsBy(Buffer.alloc(32, 2))]
  expect(ours('gaming-pc')).toMatch(/^[\w-]{12}$/)
  expect(tagsBy(Buffer.alloc(32, 1))('gaming-pc')).toBe(ours('gaming-pc'))
  expect(new Set([ours('gaming-pc'), theirs('gaming-pc'), ours('gaming-pd'), createHash('sha256').update('gaming-pc').digest('base64url').slice(0, 12)]).size).toBe(4)
})
