const SLOTS = 120
const ROW_MS = 300_000

/** The last hour as equal steps, oldest first, each with its time and its point, or null where the bot was off. Points that fall into one step are one. */
export function slotsOf({ stepMs, points }, nowMs) {
  const last = points.at(-1)?.at
  const endMs = last !== undefined && nowMs - last < 2 * stepMs ? last : Math.floor(nowMs / stepMs) * stepMs
  const startMs = endMs - (SLOTS - 1) * stepMs
  const slots = Array.from({ length: SLOTS }, (_, index) => ({ at: startMs + index * stepMs, point: null }))
  for (const point of points) {
    const slot = slots[Math.round((point.at - startMs) / stepMs)]
    if (slot !== undefined) slot.point = slot.point === null ? point : together([slot.point, point])
  }
  return slots
}

/** The same in rows of five minutes, newest first, without those that have no point. */
export function rowsOf(slots) {
  const rows = new Map()
  for (const { at, point } of slots) {
    if (point === null) continue
    const startMs = Math.floor(at / ROW_MS) * ROW_MS
    rows.set(startMs, [...(rows.get(startMs) ?? []), point])
  }
  return [...rows].map(([at, points]) => ({ at, ...together(points) })).reverse()
}

function together(points) {
  const slowest = points.map(({ p95Ms }) => p95Ms).filter((ms) => ms !== null)
  return {
    requests: points.reduce((sum, { requests }) => sum + requests, 0),
    failed: points.reduce((sum, { failed }) => sum + failed, 0),
    waiting: Math.max(...points.map(({ waiting }) => waiting)),
    p95Ms: slowest.length === 0 ? null : Math.max(...slowest)
  }
}

/** What the hour comes to: all requests and failures, the most in one step, and the most who waited at once, with the step where that was. */
export function totalsOf(slots) {
  const points = slots.flatMap(({ at, point }) => (point === null ? [] : [{ ...point, at }]))
  const busiest = points.reduce((most, point) => (most === null || point.waiting > most.waiting ? point : most), null)
  return {
    isEmpty: points.length === 0,
    requests: points.reduce((sum, { requests }) => sum + requests, 0),
    failed: points.reduce((sum, { failed }) => sum + failed, 0),
    mostRequests: Math.max(0, ...points.map(({ requests }) => requests)),
    mostWaiting: busiest?.waiting ?? 0,
    mostWaitingAt: busiest?.at ?? null
  }
}
