import { randomBytes } from 'node:crypto'

/** More hands than that, by `Forwarded`, no honest request goes through. */
const HOPS_MAX = 20

/** How this entry calls itself in `Via`: no address, and another one for each start. */
export function hopName(): string {
  return `voxpool-${randomBytes(4).toString('hex')}`
}

/**
 * Whether a request has come through here before, so that two entries which have each other as nodes don't send it in a circle for ever. `Forwarded` is the
 * second net, where somebody between leaves `Via` out.
 */
export function isLoop({ via, forwarded }: { via?: string | undefined; forwarded?: string | undefined }, name: string): boolean {
  return via?.includes(name) === true || (forwarded !== undefined && forwarded.split(',').length > HOPS_MAX)
}

/** With a quote that is left open, whatever comes after it would belong to who sent it. */
const CLOSED = /^(?:[^"\\]|"(?:[^"\\]|\\[^])*")*$/

/** What was said before, and one more hop; what can't be read is left out. */
export function withHop(said: string, hop: string): string {
  return said === '' || !CLOSED.test(said) ? hop : `${said}, ${hop}`
}
