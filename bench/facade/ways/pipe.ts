import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'
import type { Way } from '../way.ts'

/** Bytes there and back, unread: the least that any hop costs on this machine. To the first path alone. */
export const pipe: Way = async ([first]) => {
  if (first === undefined) throw new Error('no path to pipe to')
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port: first.port, host: '127.0.0.1', noDelay: true })
    pipeline(near, far, near, () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
