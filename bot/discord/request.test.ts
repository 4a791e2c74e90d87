import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { REST } from 'discord.js'
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici'
import { afterEach, expect, it } from 'vitest'
import { request } from './request.ts'

const before = getGlobalDispatcher()
let server = createServer()
afterEach(async () => {
  setGlobalDispatcher(before)
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

async function restOf(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<REST> {
  server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return new REST({ api: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, retries: 2, makeRequest: request }).setToken('t')
}

it('uploads a file whichever undici the process’s dispatcher is of', async () => {
  setGlobalDispatcher(new Agent())
  let received = ''
  const rest = await restOf((asked, response) => {
    asked.on('data', (bytes: Buffer) => (received += bytes.toString('latin1')))
    asked.on('end', () => response.setHeader('content-type', 'application/json').end('{"id":"1"}'))
  })
  expect(await rest.post('/channels/1/messages', { body: {}, files: [{ name: 'voice.ogg', data: Buffer.from('OggS') }] })).toEqual({ id: '1' })
  expect(received).toMatch(/filename="voice\.ogg"[^]*OggS/)
})

it('is tried again by discord.js where the connection broke', async () => {
  let asked = 0
  const rest = await restOf((incoming, response) => {
    asked += 1
    if (asked === 1) incoming.socket.resetAndDestroy()
    else response.setHeader('content-type', 'application/json').end('{}')
  })
  expect(await rest.get('/users/@me')).toEqual({})
  expect(asked).toBe(2)
})

it('says what became of the connection when nobody is there', async () => {
  const rest = await restOf(() => undefined)
  server.close()
  await once(server, 'close')
  await expect(rest.get('/users/@me')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  server.listen(0)
  await once(server, 'listening')
})
