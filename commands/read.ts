import { ApplicationCommandOptionType, ChannelType, InteractionContextType } from 'discord.js'
import { told } from '../bot/discord/command.ts'
import type { Command } from '../bot/discord/command.ts'
import { respond } from '../bot/discord/respond.ts'
import type { Answer } from './read/answer.ts'
import { here } from './read/here.ts'
import { list } from './read/list.ts'
import { mute, unmute } from './read/mute.ts'
import { stop } from './read/stop.ts'
import { openSettings } from './settings.ts'

const { Channel, Subcommand, User } = ApplicationCommandOptionType

const VOICE = [ChannelType.GuildVoice, ChannelType.GuildStageVoice] as const
const READABLE = [
  ChannelType.GuildText, ChannelType.GuildAnnouncement, ChannelType.PublicThread, ChannelType.PrivateThread, ChannelType.AnnouncementThread, ...VOICE
] as const

const answers: Readonly<Record<string, Answer>> = { here, stop, list, mute, unmute }

/** `/read`: which text channels are read aloud, where, and who is not. */
export const read: Command = {
  data: {
    ...told(['read', '読み上げ', '읽기'], ['Read text channels aloud in a voice channel', 'テキストチャンネルをボイスチャンネルで読み上げます', '텍스트 채널을 음성 채널에서 읽습니다']),
    contexts: [InteractionContextType.Guild],
    options: [
      {
        type: Subcommand,
        ...told(['here', 'ここ', '여기'], ['Read this channel aloud', 'このチャンネルを読み上げます', '이 채널을 읽습니다']),
        options: [
          {
            type: Channel,
            ...told(['voice-channel', 'ボイスチャンネル', '음성-채널'], ['Where; by itself the one you are in', 'どこで読むか（指定しなければ今いるチャンネル）', '읽을 곳 (고르지 않으면 지금 있는 채널)']),
            channel_types: [...VOICE]
          }
        ]
      },
      {
        type: Subcommand,
        ...told(['stop', 'やめる', '그만'], ['Don’t read a channel any more', 'チャンネルの読み上げをやめます', '채널 읽기를 그만둡니다']),
        options: [
          {
            type: Channel,
            ...told(['channel', 'チャンネル', '채널'], ['Which; by itself this one', 'どのチャンネルか（指定しなければここ）', '어느 채널인지 (고르지 않으면 여기)']),
            channel_types: [...READABLE]
          }
        ]
      },
      { type: Subcommand, ...told(['list', '一覧', '목록'], ['Which channels are read, and where', '読み上げているチャンネルの一覧', '읽고 있는 채널 목록']) },
      { type: Subcommand, ...told(['settings', '設定', '설정'], ['What is read, and how', '何をどう読み上げるか', '무엇을 어떻게 읽을지']) },
      {
        type: Subcommand,
        ...told(['mute', 'ミュート', '음소거'], ['Don’t read me, or, for managers, somebody else', '自分（管理者なら他の人も）を読まないようにします', '나를, 관리자라면 다른 사람을 읽지 않게 합니다']),
        options: [{ type: User, ...told(['member', 'メンバー', '멤버'], ['Who; by itself you', 'だれを（指定しなければ自分）', '누구를 (고르지 않으면 나)']) }]
      },
      {
        type: Subcommand,
        ...told(['unmute', 'ミュート解除', '음소거-해제'], ['Read me, or, for managers, somebody else again', '自分（管理者なら他の人も）をまた読みます', '나를, 관리자라면 다른 사람을 다시 읽습니다']),
        options: [{ type: User, ...told(['member', 'メンバー', '멤버'], ['Who; by itself you', 'だれを（指定しなければ自分）', '누구를 (고르지 않으면 나)']) }]
      }
    ]
  },

  async execute(interaction, app, t) {
    const subcommand = interaction.options.getSubcommand()
    const answer = answers[subcommand]
    if (answer === undefined) await openSettings(interaction, app, t, 'who')
    else await respond(interaction, { content: await answer(interaction, app, t) }, app.clock)
  }
}
