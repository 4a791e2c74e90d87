import { once } from 'node:events'
import { Readable } from 'node:stream'
import {
  AudioPlayerStatus, createAudioPlayer, createAudioResource, entersState, getVoiceConnection, joinVoiceChannel, StreamType, VoiceConnectionStatus
} from '@discordjs/voice'
import { ApplicationCommandOptionType } from 'discord.js'
import type { ChatInputCommandInteraction, Client } from 'discord.js'
import OpusScript from 'opusscript'
import { muxOggOpus } from '../../bot/audio/ogg.ts'
import type { Sandbox } from '../start.ts'
import { loggedIn } from '../test-client.ts'

/** Opus packets of 20 ms with a tone of 440 Hz. For tests. */
export function tonePackets(count: number): Buffer[] {
  const encoder = new OpusScript(48_000, 1, OpusScript.Application.AUDIO)
  const packets = Array.from({ length: count }, (_, packet) => {
    const pcm = Buffer.alloc(960 * 2)
    for (let at = 0; at < 960; at++) pcm.writeInt16LE(Math.round(12_000 * Math.sin(((packet * 960 + at) * 2 * Math.PI * 440) / 48_000)), at * 2)
    return encoder.encode(pcm, 960)
  })
  encoder.delete()
  return packets
}

/**
 * The smallest bot there can be, with the real libraries: `/say text voice?` plays 50 packets of a tone in the member's voice channel,
 * or sends them as a file to who is in none; `/audit` is for administrators only, and is never answered.
 */
export async function startSayBot(sandbox: Sandbox): Promise<{ client: Client<true>; close: () => Promise<void> }> {
  const client = await loggedIn(sandbox)
  const failures: unknown[] = []
  client.on('interactionCreate', (interaction) => {
    if (interaction.isAutocomplete()) {
      const typed = interaction.options.getFocused()
      const names = ['Heart', 'Sky'].filter((name) => name.toLowerCase().startsWith(typed.toLowerCase()))
      interaction.respond(names.map((name) => ({ name, value: name.toLowerCase() }))).catch((error: unknown) => failures.push(error))
    } else if (interaction.isChatInputCommand() && interaction.commandName === 'say') {
      say(interaction).catch((error: unknown) => failures.push(error))
    }
  })
  await client.application.commands.set([
    {
      name: 'say',
      description: 'Speak a text',
      descriptionLocalizations: { ja: '読み上げます' },
      options: [
        { type: ApplicationCommandOptionType.String, name: 'text', description: 'What to say', required: true, maxLength: 100 },
        { type: ApplicationCommandOptionType.String, name: 'voice', description: 'Whose voice', autocomplete: true }
      ]
    },
    { name: 'audit', description: 'For administrators', defaultMemberPermissions: 0n }
  ])
  return {
    client,
    async close() {
      for (const guild of client.guilds.cache.values()) getVoiceConnection(guild.id)?.destroy()
      await client.destroy()
      if (failures.length > 0) throw new AggregateError(failures, 'the bot of the test failed')
    }
  }
}

async function say(interaction: ChatInputCommandInteraction): Promise<void> {
  await interaction.deferReply()
  const packets = tonePackets(50)
  const guild = interaction.guild
  const channelId = guild?.voiceStates.cache.get(interaction.user.id)?.channelId
  const text = `${interaction.options.getString('text', true)} (${interaction.options.getString('voice') ?? 'any voice'})`
  if (!guild || !channelId) {
    await interaction.editReply({ content: `File: ${text}`, files: [{ attachment: Buffer.from(muxOggOpus({ packets })), name: 'say.ogg' }] })
    return
  }
  const connection = joinVoiceChannel({ guildId: guild.id, channelId, adapterCreator: guild.voiceAdapterCreator, selfDeaf: true })
  await entersState(connection, VoiceConnectionStatus.Ready, 20_000)
  // What is sent before the call's encryption stands reaches nobody.
  const signal = AbortSignal.timeout(20_000)
  while (!connection.voicePrivacyCode) await once(connection, 'transitioned', { signal })
  const player = createAudioPlayer()
  connection.subscribe(player)
  player.play(createAudioResource(Readable.from(packets), { inputType: StreamType.Opus }))
  await interaction.editReply(`Speaking: ${text}`)
  await entersState(player, AudioPlayerStatus.Idle, 20_000)
}
