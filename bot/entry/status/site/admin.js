const LINK = /^#admin=([A-Za-z0-9_-]{1,200})$/
const LIMIT_MS = 15_000
/** A test takes 40 s at most, a registry some more than it should. */
const ACT_LIMIT_MS = 60_000
const LINK_FAULTS = ['link_used', 'link_expired', 'link_unknown', 'forbidden', 'cross_site']

/**
 * Who has come by an admin's link is admin until the session ends. The link's token leaves the address at once: what stands there is seen, kept and
 * shared; it works once.
 */
export function createAdmin(store) {
  let token = null

  async function start() {
    const [, found] = LINK.exec(location.hash) ?? []
    if (found === undefined) return look()
    history.replaceState(null, '', location.pathname + location.search)
    token = found
    return open()
  }

  async function open() {
    if (token === null) return
    store.setAdmin({ isOpening: true, notice: null })
    const { status, code } = await request('POST', '/api/session', { token })
    if (status === 0 || status >= 500) return store.setAdmin({ isOpening: false, notice: 'failed' })
    token = null
    if (status !== 204) store.setAdmin({ isOpening: false, notice: LINK_FAULTS.includes(code) ? code : 'link_unknown' })
    const isAdmin = await look()
    store.setAdmin({ isOpening: false, ...(status === 204 && isAdmin === false && { notice: 'unkept' }) })
  }

  /** @returns whether one is admin; undefined where there was no answer */
  async function look() {
    const { status, body } = await request('GET', '/api/session')
    if (status !== 200) return undefined
    const isAdmin = body?.isAdmin === true
    if (!isAdmin && store.state.admin.isAdmin) over()
    else store.setAdmin({ isAdmin, until: body?.until ?? null })
    return isAdmin
  }

  const lookAgain = () => store.state.admin.isAdmin && void look()

  async function leave() {
    const { status } = await request('DELETE', '/api/session')
    if (status === 204 || status === 401) store.setAdmin({ isAdmin: false, until: null, notice: 'left' })
    else store.setAdmin({ notice: 'unreached' })
  }

  function over() {
    store.setAdmin({ isAdmin: false, until: null, notice: 'over' })
  }

  /** No session outlives the bot's run. */
  let run = null
  store.subscribe(({ snapshot }) => {
    if (snapshot === null || snapshot.startedAt === run) return
    run = snapshot.startedAt
    lookAgain()
  })
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && lookAgain())
  window.addEventListener('hashchange', () => LINK.test(location.hash) && void start())
  return {
    start,
    again: open,
    leave,
    over,
    close: () => store.setAdmin({ notice: null }),
    /** @returns `{ ok: true, result }`, or `{ ok: false, code }` */
    async act(id, act) {
      const { status, body, code } = await request('POST', `/api/nodes/${encodeURIComponent(id)}/${act}`, {}, ACT_LIMIT_MS)
      if (status === 401) over()
      if (status === 200 && body?.ok === true) return { ok: true, result: body.result ?? {} }
      return { ok: false, code: status === 0 ? 'silent' : status === 401 ? 'unauthorized' : (code ?? String(status)) }
    }
  }
}

/** @returns the status, 0 when there was no answer, with what the answer says */
async function request(method, path, sent, limitMs = LIMIT_MS) {
  try {
    const response = await fetch(path, {
      method,
      ...(method !== 'GET' && { headers: { 'content-type': 'application/json' } }),
      ...(sent !== undefined && { body: JSON.stringify(sent) }),
      signal: window.AbortSignal.timeout(limitMs)
    })
    const body = response.status === 204 ? null : await response.json().catch(() => null)
    return { status: response.status, body, code: body?.error?.code }
  } catch {
    return { status: 0, body: null, code: undefined }
  }
}
