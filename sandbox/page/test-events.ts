/** One server-sent event as the page gets it. */
interface PageEvent {
  name: string
  data: unknown
}

/** Reads a stream of server-sent events. `next` waits at most 20 s for one that fits, and keeps nothing of what it passed. For tests. */
export async function openEvents(url: string) {
  const controller = new AbortController()
  const response = await fetch(url, { signal: controller.signal })
  if (!response.body) throw new Error('an answer without a body')
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let buffer = ''

  async function read(): Promise<PageEvent> {
    for (;;) {
      const end = buffer.indexOf('\n\n')
      if (end >= 0) {
        const block = buffer.slice(0, end)
        buffer = buffer.slice(end + 2)
        const name = /^event: (.*)$/m.exec(block)?.[1]
        if (name !== undefined) return { name, data: JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? 'null') }
        continue
      }
      const { done, value } = await reader.read()
      if (done) throw new Error('the stream ended')
      buffer += value
    }
  }

  return {
    response,
    close: () => controller.abort(),
    async next<Data = Record<string, unknown>>(name: string, fits: (data: Data) => boolean = () => true): Promise<Data> {
      const limit = setTimeout(() => controller.abort(new Error(`no fitting event "${name}" within 20 s`)), 20_000)
      try {
        for (;;) {
          const event = await read()
          if (event.name === name && fits(event.data as Data)) return event.data as Data
        }
      } finally {
        clearTimeout(limit)
      }
    }
  }
}
