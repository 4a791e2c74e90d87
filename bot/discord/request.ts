import type { RESTOptions } from 'discord.js'

/**
 * How discord.js asks Discord: by Node's own `fetch`. Its own way takes the process's dispatcher, which belongs to whichever undici was loaded last;
 * that of the bot's newer one refuses its uploads.
 */
export const request: RESTOptions['makeRequest'] = async (url, { dispatcher: _, ...init }) => {
  try {
    return await fetch(url, init as RequestInit)
  } catch (error) {
    // What discord.js tries again, it knows by the fault of the connection itself.
    throw error instanceof TypeError && error.cause instanceof Error ? error.cause : error
  }
}
