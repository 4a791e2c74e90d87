/** The server beats every 10 s; three missed beats mean that the stream is dead though nobody closed it. */
const SILENCE_LIMIT_MS = 30_000
const RETRY_MS = 2_000
const EVENTS = ['snapshot', 'message', 'messageDeleted', 'interaction', 'commands', 'voice']

/** Keeps the store fed from the server's events, and reconnects for ever; the returned function tries again at once. */
export function connect(store) {
  let source = null
  let heardAtMs = 0
  let retry = 0

  const open = () => {
    clearTimeout(retry)
    source?.close()
    source = new EventSource('/sandbox/events')
    heardAtMs = performance.now()
    source.addEventListener('beat', () => (heardAtMs = performance.now()))
    for (const name of EVENTS) {
      source.addEventListener(name, (event) => {
        heardAtMs = performance.now()
        store.apply(name, JSON.parse(event.data))
        if (store.state.connection !== 'live') store.set({ connection: 'live' })
      })
    }
    source.addEventListener('error', lost)
  }

  const lost = () => {
    source.close()
    store.set({ connection: 'lost' })
    clearTimeout(retry)
    retry = setTimeout(open, RETRY_MS)
  }

  setInterval(() => {
    if (store.state.connection === 'live' && performance.now() - heardAtMs > SILENCE_LIMIT_MS) lost()
  }, 5_000)
  window.addEventListener('online', open)
  open()
  return open
}

/** Does one thing as the acting member. Returns the result, or throws an `Error` whose message is for people. */
export const act = (name, body) => post(name, 'application/json', JSON.stringify(body))

/** Uploads a file for an option of a command. Returns its id, or throws like `act`. */
export const upload = (file, { userId, channelId }) =>
  post(`upload?${new URLSearchParams({ userId, channelId, filename: file.name.slice(-100) })}`, file.type || 'application/octet-stream', file)

async function post(path, contentType, body) {
  let response
  try {
    response = await fetch(`/sandbox/act/${path}`, {
      method: 'POST',
      headers: { 'content-type': contentType },
      body,
      signal: window.AbortSignal.timeout(10_000)
    })
  } catch {
    throw new Error('The sandbox does not answer. Is it still running?')
  }
  const answer = await response.json().catch(() => null)
  if (!answer?.ok) throw new Error(answer?.message ?? `The sandbox answered ${response.status}.`)
  return answer.result
}
