import { AttachmentBuilder } from 'discord.js'
import { muxOggOpus } from '../../bot/audio/ogg.ts'
import type { App } from '../../bot/discord/app.ts'
import { plain } from '../../bot/discord/respond.ts'
import type { Reply } from '../../bot/discord/respond.ts'
import type { Translate } from '../../bot/i18n/index.ts'
import type { PoolNode } from '../../bot/nodes/node.ts'
import type { Answered, Logged, NodeTest } from '../../bot/nodes/test-node.ts'
import { titleOf } from './row.ts'

/** `/nodes test`: one request through this node, what both ends know of it, and the audio to listen to. */
export async function test(node: PoolNode, app: App, t: Translate): Promise<Reply> {
  const result = await app.testNode(node)
  const { requestId, answered, logged, sentAtMs } = result
  const lines = [
    titleOf(node),
    verdictOf(result, t),
    t('nodeTest.request', { id: requestId }),
    hereOf(answered, sentAtMs, t),
    thereOf(logged, t)
  ]
  if (!answered.ok) return { content: lines.join('\n') }
  const { packets, preSkip, channels } = answered.audio
  return { content: lines.join('\n'), files: [new AttachmentBuilder(Buffer.from(muxOggOpus({ packets, preSkip, channels })), { name: `${requestId}.ogg` })] }
}

function verdictOf({ answered, logged }: NodeTest, t: Translate): string {
  if (!answered.ok) return faultOf(answered.error, t)
  if (answered.isMute) return t('nodeTest.mute')
  switch (logged.found) {
    case 'yes':
      return t('nodeTest.well')
    case 'noLog':
      return t('nodeTest.noLog')
    case 'missing':
      return t('nodeTest.missing')
    case 'silent':
      return t('nodeTest.logSilent')
  }
}

function faultOf({ code, context }: Extract<Answered, { ok: false }>['error'], t: Translate): string {
  switch (code) {
    case 'NODE_LEFT':
    case 'NODE_FORBIDDEN_HOST':
    case 'NODE_UNRESOLVED':
    case 'NODE_UNREACHABLE':
    case 'NODE_UNAUTHORIZED':
    case 'NODE_SILENT':
    case 'NODE_RESET':
    case 'NODE_BUSY':
    case 'NODE_BAD_REPLY':
    case 'TEXT_REFUSED':
      return t(`nodeTest.${code}`)
    case 'NODE_STATUS':
      return t('nodeTest.NODE_STATUS', { value: String(context['status']) })
    default:
      return t('nodeTest.other', { code })
  }
}

function hereOf(answered: Answered, sentAtMs: number, t: Translate): string {
  const from = timeOf(sentAtMs)
  const ms = Math.round(answered.tookMs)
  if (!answered.ok) return t('nodeTest.hereFailed', { from, count: ms, code: answered.error.code })
  return t('nodeTest.here', { from, count: ms, seconds: (answered.audio.durationMs / 1000).toFixed(1) })
}

function thereOf(logged: Logged, t: Translate): string {
  switch (logged.found) {
    case 'yes': {
      const { receivedAt, status, durationMs, engine, voice, inputLength } = logged.entry
      const spoken = voice === undefined ? '–' : `${plain(voice)}${engine === undefined ? '' : ` (${plain(engine)})`}`
      return t('nodeTest.there', { from: timeOf(receivedAt), value: String(status), count: durationMs, name: spoken, max: inputLength })
    }
    case 'noLog':
      return t('nodeTest.thereNoLog')
    case 'missing':
      return t('nodeTest.thereMissing')
    case 'silent':
      return t('nodeTest.thereSilent', { code: logged.error.code })
  }
}

/** A moment that each client shows in its own time zone. */
function timeOf(atMs: number): string {
  return `<t:${String(Math.floor(atMs / 1000))}:T>`
}
