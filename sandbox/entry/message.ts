/** One request or answer as it came over a socket: what a test sees at either end, before any library has read it. */
export interface Message {
  startLine: string
  /** Names as they were written. */
  headers: [name: string, value: string][]
  body: string
  /** Bytes as they came, in latin1. */
  raw: string
}

export interface Reading {
  /** An answer to HEAD, or one whose status has no body. */
  isBodiless?: boolean
  /** An answer that ends with its connection: whether that has ended. */
  hasEnded?: boolean
}

/** The first whole message of some bytes and what follows it; undefined while it is not whole. */
export function takeMessage(bytes: Buffer, { isBodiless = false, hasEnded = false }: Reading = {}): { message: Message; rest: Buffer } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const [startLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n')
  const headers = lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
  const header = (name: string) => headers.find(([each]) => each.toLowerCase() === name)?.[1]
  const bodyStart = headEnd + 4
  const whole = (body: string, end: number) => ({ message: { startLine, headers, body, raw: bytes.toString('latin1', 0, end) }, rest: bytes.subarray(end) })

  const isAnswer = startLine.startsWith('HTTP/')
  if (isAnswer && (isBodiless || / (?:1\d\d|204|304)\b/.test(startLine))) return whole('', bodyStart)
  if (header('transfer-encoding')?.toLowerCase() === 'chunked') {
    const read = takeChunks(bytes, bodyStart)
    return read && whole(read.body, read.end)
  }
  const length = header('content-length')
  if (length !== undefined) {
    const end = bodyStart + Number(length)
    return bytes.length < end ? undefined : whole(bytes.toString('utf8', bodyStart, end), end)
  }
  if (!isAnswer) return whole('', bodyStart)
  return hasEnded ? whole(bytes.toString('utf8', bodyStart), bytes.length) : undefined
}

function takeChunks(bytes: Buffer, start: number): { body: string; end: number } | undefined {
  const pieces: Buffer[] = []
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd === -1) return undefined
    const sizeBytes = parseInt(bytes.toString('latin1', at, lineEnd), 16)
    const from = lineEnd + 2
    if (bytes.length < from + sizeBytes + 2) return undefined
    if (sizeBytes === 0) return { body: Buffer.concat(pieces).toString('utf8'), end: from + 2 }
    pieces.push(bytes.subarray(from, from + sizeBytes))
    at = from + sizeBytes + 2
  }
}
