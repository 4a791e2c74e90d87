import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { Metrics } from '../core/metrics.ts'
import { closingOf } from './closing.ts'
import { JOIN_LIMIT_MS, LEFT_WITHIN_MS, MOVED_WITHIN_MS, OUTAGE_LIMIT_MS, OUTAGE_LOOK_MS, RENEWED_WITHIN_MS, SERVER_WITHIN_MS, TOLD_WITHIN_MS } from './connection-state.ts'
import type { Connection, ConnectionState, Trouble } from './connection-state.ts'
import { openLine } from './gateway-line.ts'
import type { GuildView } from './guild-view.ts'
import { openLink } from './link.ts'
import type { Link } from './link.ts'
import type { OverReason } from './over.ts'
import { createTries } from './tries.ts'
import type { Wishes } from './wishes.ts'

export interface ConnectionOptions {
  channelId: string
  view: GuildView
  wishes: Wishes
  clock: Clock
  log: Log
  metrics: Pick<Metrics, 'rejoins'>
  onChange: (state: ConnectionState) => void
}

/** Keeps the bot in a voice channel. Each try is a fresh connection of the library; what an earlier one still says is not heard. */
export function openConnection(options: ConnectionOptions): Connection {
  const { view, wishes, clock, log, metrics, onChange } = options
  const { guildId } = view
  const tries = createTries(clock)
  let channelId = options.channelId
  let state: ConnectionState = { status: 'rejoining', attempt: 0, untilMs: clock.monotonic() }
  let link: Link | undefined
  /** The gateway has said that the bot is in a channel, since it last asked to be. */
  let isIn = false
  let renewedMs = -Infinity
  let troubleSinceMs = clock.monotonic()
  let cancel: () => void = () => undefined
  let onceLeft: (() => void) | undefined
  const line = openLine({
    guildId,
    adapterCreator: view.adapterCreator,
    onPlace,
    // discord.js forgets the guild only after it has said so.
    onGone: () => queueMicrotask(() => end(view.hindrance(channelId) ?? 'unreachable'))
  })

  function enter(next: ConnectionState, onLimit?: () => void) {
    cancel()
    onceLeft = undefined
    if (state.status === 'ready') troubleSinceMs = clock.monotonic()
    state = next
    log.debug({ voice: next }, 'voice connection')
    if (onLimit !== undefined && 'untilMs' in next) cancel = clock.after(next.untilMs - clock.monotonic(), onLimit)
    onChange(next)
  }

  const until = (limitMs: number) => clock.monotonic() + limitMs
  const waitsForGateway = () => !view.isUp() && clock.monotonic() - troubleSinceMs < OUTAGE_LIMIT_MS

  function join(attempt: number) {
    isIn = false
    enter({ status: 'joining', attempt, untilMs: until(JOIN_LIMIT_MS) }, () => rejoin('hung', true))
    link = openLink({ guildId, channelId, line, log, onReady, onConnecting, onServerGone, onClosed, onBroken: () => lose('broken') })
  }

  function rejoin(why: Trouble, fresh: boolean) {
    link?.close()
    link = undefined
    const hindrance = view.hindrance(channelId)
    const next = hindrance === undefined ? tries.next() : undefined
    if (next === undefined) {
      end(hindrance ?? 'unreachable')
      return
    }
    metrics.rejoins.inc({ why })
    log.info({ why, attempt: next.attempt }, 'voice connection is made anew')
    const { attempt, delayMs } = next
    enter({ status: 'rejoining', attempt, untilMs: until(delayMs) }, () => begin(attempt, fresh || attempt > 1))
  }

  /** A fresh session at Discord needs the old one left first. */
  function begin(attempt: number, fresh: boolean) {
    if (waitsForGateway()) enter({ status: 'rejoining', attempt, untilMs: until(OUTAGE_LOOK_MS) }, () => begin(attempt, fresh))
    else if (!view.isUp()) end('unreachable')
    else {
      const leaves = fresh && view.ownChannelId() !== null
      const delayMs = wishes.reserve(leaves ? 2 : 1)
      const go = () => (leaves ? leaveAndJoin(attempt) : join(attempt))
      if (delayMs === 0) go()
      else enter({ status: 'rejoining', attempt, untilMs: until(delayMs) }, go)
    }
  }

  function leaveAndJoin(attempt: number) {
    line.leave()
    isIn = false
    enter({ status: 'rejoining', attempt, untilMs: until(LEFT_WITHIN_MS) }, () => join(attempt))
    onceLeft = () => join(attempt)
  }

  function displace(out: boolean) {
    if (out) link?.close()
    enter({ status: 'displaced', out, untilMs: until(out ? TOLD_WITHIN_MS : MOVED_WITHIN_MS) }, () => settle(out))
  }

  function settle(out: boolean) {
    if (waitsForGateway()) enter({ status: 'displaced', out, untilMs: until(OUTAGE_LOOK_MS) }, () => settle(out))
    else if (!out && view.ownChannelId() !== null) rejoin('closed', true)
    else end(view.isUp() ? 'displaced' : 'unreachable')
  }

  function onPlace(place: string | null) {
    if (state.status === 'over') return
    if (place !== null) {
      // Of an earlier wish, still on its way: where it asked to be is told first.
      if (state.status === 'joining' && !isIn && place !== channelId) return
      isIn = true
      channelId = place
      if (state.status === 'displaced' && state.out) rejoin('closed', true)
      else if (state.status === 'displaced') displace(false)
    } else if (onceLeft !== undefined) onceLeft()
    else if (state.status === 'serverless' || clock.monotonic() - renewedMs < RENEWED_WITHIN_MS) lose('gateway')
    else if ((state.status !== 'rejoining' && state.status !== 'joining') || isIn) displace(true)
  }

  /** Discord has dropped it, which nobody meant. */
  function lose(why: Trouble) {
    if (state.status !== 'joining' && state.status !== 'rejoining') rejoin(why, true)
  }

  function onReady() {
    tries.isUp()
    isIn = true
    enter({ status: 'ready', sinceMs: clock.monotonic() })
  }

  function onConnecting() {
    if (state.status !== 'ready' && state.status !== 'displaced' && state.status !== 'serverless') return
    enter({ status: 'resuming', untilMs: until(JOIN_LIMIT_MS) }, () => rejoin('hung', true))
  }

  function onServerGone() {
    enter({ status: 'serverless', untilMs: until(SERVER_WITHIN_MS) }, () => rejoin('noServer', true))
  }

  function onClosed(code: number | undefined) {
    const closing = code === undefined ? undefined : closingOf(code)
    log.info({ code }, 'voice socket closed')
    if (closing?.kind === 'final') end(closing.reason)
    // The old server's socket: another server will be named.
    else if (state.status === 'serverless') return
    else if (closing?.kind === 'displaced') displace(false)
    else rejoin(closing === undefined ? 'gateway' : 'closed', closing?.fresh ?? false)
  }

  function whatPutItOut(): OverReason {
    const hindrance = view.hindrance(channelId)
    // Somebody took the place when it was free.
    return hindrance === undefined || hindrance === 'channelFull' ? 'kicked' : hindrance
  }

  function end(given?: OverReason | 'displaced') {
    if (state.status === 'over') return
    const reason = given === 'displaced' ? whatPutItOut() : given
    link?.close()
    link = undefined
    if (reason !== 'removed' && reason !== 'kicked') {
      wishes.reserve(1)
      line.leave()
    }
    line.close()
    enter({ status: 'over', reason })
  }

  begin(0, false)
  return {
    state: () => state,
    channelId: () => channelId,
    link: () => link,
    rebuild(why) {
      if (state.status === 'ready') rejoin(why, true)
    },
    compare(change) {
      if (state.status === 'over') return
      const hindrance = view.hindrance(channelId)
      const isGone = hindrance === 'removed' || hindrance === 'channelDeleted'
      if (isGone) end(hindrance)
      if (isGone || !view.isUp() || change === 'guild') return
      if (change === 'renewed') renewedMs = clock.monotonic()
      // It was told so, and is on its way out.
      else if (state.status === 'displaced' && state.out) return
      const place = view.ownChannelId()
      if (place !== null && place !== channelId) {
        channelId = place
        lose('elsewhere')
      } else if (place === null || (change === 'renewed' && state.status === 'displaced')) lose('gateway')
    },
    end
  }
}
