import { setImmediate as nextTurn } from 'node:timers/promises'
import { MessageFlags } from 'discord.js'
import { chooseDelivery } from '../../bot/delivery/choose.ts'
import type { Missing, Wanted } from '../../bot/delivery/choose.ts'
import type { App } from '../../bot/discord/app.ts'
import { tell } from '../../bot/discord/dispatch.ts'
import { openSessionIn, placeOf } from '../../bot/discord/guild.ts'
import { sendPrivately } from '../../bot/discord/private-recording.ts'
import type { RecordingCommand } from '../../bot/discord/recording-reply.ts'
import { sendRecording } from '../../bot/discord/recording.ts'
import { plain, respond } from '../../bot/discord/respond.ts'
import type { Uttered } from '../../bot/discord/utterance.ts'
import type { Translate } from '../../bot/i18n/index.ts'
import { TEXT_MAX } from '../../bot/speech/reading/read.ts'
import type { Utterance } from '../../bot/speech/speak.ts'

/**
 * Refusals first, all of them known without waiting; then it is heard, or uploaded: for all, or `privately` for its member alone. When another
 * voice than the preferred one spoke, its member is told, once.
 */
export async function deliver(
  interaction: RecordingCommand,
  app: App,
  t: Translate,
  uttered: Uttered,
  { wanted, privately = false }: { wanted: Wanted; privately?: boolean }
): Promise<void> {
  if (!uttered.ok) {
    await respond(interaction, { content: uttered.reason === 'tooLong' ? t('refused.tooLong', { max: TEXT_MAX }) : t('refused.empty') }, app.clock)
    return
  }
  const { utterance, missing } = uttered
  const place = placeOf(interaction.member, app.sessions)
  const delivery = chooseDelivery(wanted, place)
  switch (delivery.to) {
    case 'nowhere':
      await respond(interaction, { content: refusal(delivery.reason, channelOf(place.busyChannelId ?? place.memberChannelId), t) }, app.clock)
      return
    case 'voice':
      await intoVoice(interaction, app, t, utterance, delivery.channelId)
      break
    case 'recording':
      if (privately) await sendPrivately(interaction, app, t, utterance, { caption: (seconds) => t('say.file', { seconds }), mustReach: true })
      else await sendRecording(interaction, app, t, utterance, delivery.wanted)
  }
  await tellMissing(interaction, app, t, missing())
}

/** The place in the queue is taken before anything is awaited: what came first is heard first. */
async function intoVoice(interaction: RecordingCommand, app: App, t: Translate, utterance: Utterance, channelId: string): Promise<void> {
  const channel = channelOf(channelId)
  const session = openSessionIn(interaction.guild, channelId, app.sessions, interaction.channelId)
  const taken = session.enqueue(utterance, { authorId: interaction.user.id, onHeld: (why) => void progress(`${t(`silenced.${why}`, { channel })} ${t('silenced.waits')}`) })
  if (!taken.ok) {
    await respond(interaction, { content: t(`refused.${taken.reason}`) }, app.clock)
    return
  }
  // The node is asked before the answer to Discord is made, which takes longer.
  await nextTurn()
  try {
    await interaction.deferReply({ flags: MessageFlags.Ephemeral })
  } catch (error) {
    // Its author reads that nothing happened: then nothing must.
    taken.cancel()
    throw error
  }
  // Progress is worth an attempt, no more: the speech goes on without it.
  const progress = async (content: string) => {
    await respond(interaction, { content }, app.clock).catch((error: unknown) => app.log.warn({ err: error, utterance: utterance.id }, 'progress did not reach Discord'))
  }
  await progress(t('say.speaking', { channel, ahead: taken.ahead }))
  const ending = await taken.ended
  app.log.info({ utterance: utterance.id, guild: interaction.guildId, outcome: ending.outcome }, 'said')
  app.metrics.utterances.inc({ outcome: ending.outcome })
  switch (ending.outcome) {
    case 'heard':
      await progress(t('say.heard', { channel, seconds: inSeconds(ending.durationMs) }))
      return
    case 'skipped':
      await progress(t('say.skipped'))
      return
    case 'dropped':
      await progress(t(`dropped.${ending.reason}`))
      return
    case 'failed': {
      const why = tell(ending.error, interaction.commandName, app, t)
      const content = ending.spokenMs === 0 ? why : t('say.partly', { seconds: inSeconds(ending.spokenMs), why })
      await respond(interaction, { content, mustReach: true }, app.clock)
    }
  }
}

async function tellMissing(interaction: RecordingCommand, { isFirstTime, log }: App, t: Translate, voice: string | undefined): Promise<void> {
  if (voice === undefined || !isFirstTime(`${interaction.user.id} ${voice}`)) return
  const message = { content: t('voice.away', { name: plain(voice) }), flags: MessageFlags.Ephemeral, allowedMentions: { parse: [] } } as const
  await interaction.followUp(message).catch((error: unknown) => log.warn({ err: error }, 'a missing voice could not be told'))
}

function refusal(reason: 'notInVoice' | 'elsewhere' | Missing, channel: string, t: Translate): string {
  return reason === 'notInVoice' ? t('refused.notInVoice') : t(`refused.${reason}`, { channel })
}

function channelOf(channelId: string | null): string {
  return channelId === null ? '' : `<#${channelId}>`
}

function inSeconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(1)
}
