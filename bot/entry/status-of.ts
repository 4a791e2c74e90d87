import type { ServerResponse } from 'node:http'

/** nginx's number for a caller who went away before there was an answer. */
export const GONE = 499

/** The status that went out. */
export const statusOf = ({ headersSent, statusCode }: ServerResponse): number => (headersSent ? statusCode : GONE)
