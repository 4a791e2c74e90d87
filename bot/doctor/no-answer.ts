const UNTAKEN: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EADDRNOTAVAIL', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'])
const DROPPED: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** Whether nobody took a request's connection. */
export const isUntaken = (error: unknown): boolean => UNTAKEN.has(codeOf(error))

/** Whether nobody took it, or whoever did ended it without an answer, as a bot that stops meanwhile. */
export const isWithoutAnswer = (error: unknown): boolean => isUntaken(error) || DROPPED.has(codeOf(error))

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')
