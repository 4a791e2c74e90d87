import { createServer } from 'node:net'

/** A process of the bench: answers every request with the same 200 as cheaply as it can, or hangs while it is told to. It tells its port to its parent. */
let isHanging = false
process.on('disconnect', () => process.exit())
process.on('message', (message) => {
  isHanging = message === 'hang'
})
const BODY = JSON.stringify({ ok: true, text: 'x'.repeat(480) })
const ANSWER = Buffer.from(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`)
const HEAD_END = Buffer.from('\r\n\r\n')
const LENGTH = /\r\ncontent-length: (\d+)/i

const server = createServer({ noDelay: true }, (socket) => {
  let held: Buffer = Buffer.alloc(0)
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    for (let headEnd = held.indexOf(HEAD_END); headEnd !== -1; headEnd = held.indexOf(HEAD_END)) {
      const wholeBytes = headEnd + HEAD_END.length + Number(LENGTH.exec(held.toString('latin1', 0, headEnd))?.[1] ?? 0)
      if (held.length < wholeBytes) return
      held = held.subarray(wholeBytes)
      if (!isHanging) socket.write(ANSWER)
    }
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : undefined })
})
