const NOBODY: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EADDRNOTAVAIL', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** Whether a request met nobody at all, rather than a program that answers in its own way. */
export const isNobody = (error: unknown): boolean => error instanceof Error && 'code' in error && NOBODY.has(String(error.code))
