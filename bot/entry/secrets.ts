import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits, in characters that any address and cookie takes. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** What is kept of a secret: who reads the memory or the disk can't use it. It has 256 random bits, so nothing slower would make it harder to guess. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
