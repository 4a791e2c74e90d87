import type { EventEmitter } from 'node:events'

/**
 * What exists in the stand-in for Discord: one guild or more with channels, members, messages and commands, as plain data.
 * REST, gateway, voice and page all read and change this one world and hear of changes through its events.
 * Ids are snowflakes (decimal text).
 */
export interface World {
  readonly guilds: Map<string, Guild>
  readonly users: Map<string, User>
  /** The application (bot) and its token. */
  readonly application: Application
  readonly commands: Map<string, RegisteredCommand>
  readonly messages: Map<string, Message>
  readonly interactions: Map<string, Interaction>
  /** Direct messages with the bot, by channel id. */
  readonly dms: Map<string, DmChannel>
  /** Files that people uploaded for the options of commands, by their ids. */
  readonly uploads: Map<string, Upload>
  readonly events: EventEmitter<WorldEvents>
  nextId(): string
}

export interface Application {
  id: string
  name: string
  token: string
  ownerId: string
  publicKey: string
}

export interface User {
  id: string
  username: string
  displayName: string
  bot: boolean
  /** A CSS colour for the page's avatar. */
  color: string
}

export interface Guild {
  id: string
  name: string
  ownerId: string
  /** The server's own language, as Discord calls it; `en-US` when absent. */
  preferredLocale?: string
  /** What one upload to this server may weigh, in bytes; it may change while it runs. */
  uploadLimitBytes: number
  channels: Map<string, Channel>
  roles: Map<string, Role>
  members: Map<string, Member>
  /** By user id. */
  voiceStates: Map<string, VoiceState>
}

export interface Role {
  id: string
  name: string
  permissions: bigint
}

export interface Member {
  userId: string
  roleIds: string[]
  nick: string | null
  /** What Discord sends as the member's own locale in interactions. */
  locale: string
}

export interface Channel {
  id: string
  guildId: string
  name: string
  /** Discord's channel types: 0 text, 2 voice, 5 announcements, 11 a public thread, 12 a private one, 13 stage. */
  type: 0 | 2 | 5 | 11 | 12 | 13
  /** Of threads: the channel it belongs to, whose permissions are its own. */
  parentId?: string
  /** Of a private thread: who is in it, and sees it. */
  memberIds?: string[]
  /** Per role or member: allow and deny bits. */
  overwrites: { id: string; kind: 'role' | 'member'; allow: bigint; deny: bigint }[]
  userLimit: number
}

export interface DmChannel {
  id: string
  userId: string
}

export interface VoiceState {
  userId: string
  channelId: string
  sessionId: string
  selfMute: boolean
  selfDeaf: boolean
  mute: boolean
  deaf: boolean
  suppress: boolean
  /** ISO, of who asks to speak on a stage. */
  requestToSpeakAt?: string | null
}

export interface Attachment {
  id: string
  filename: string
  contentType: string
  bytes: Uint8Array
  /** Of voice messages only. */
  durationSecs?: number
  waveform?: string
}

/** A file for an option of a command; only who uploaded it can send it. */
export interface Upload extends Attachment {
  userId: string
}

export interface Message {
  id: string
  channelId: string
  authorId: string
  content: string
  embeds: unknown[]
  components: unknown[]
  attachments: Attachment[]
  /** Discord's bits; 64 ephemeral, 128 a deferred reply that still "thinks" (no content yet), 8192 a voice message. */
  flags: number
  createdAtMs: number
  editedAtMs: number | null
  /** Who was notified: with `allowed_mentions` applied. */
  mentionedUserIds: string[]
  mentionsEveryone: boolean
  interactionId: string | null
  /** The only one who sees it, when it is ephemeral. */
  onlyForUserId: string | null
  replyToId: string | null
  /** Discord's message type of a system message ("somebody joined" is 7). */
  systemType: number | null
  /** Posted by a webhook under this name; `authorId` is the webhook's then. */
  webhookName: string | null
  stickers: { id: string; name: string }[]
  poll: { question: string; answers: string[] } | null
  forwarded: Snapshot | null
}

/** A message as it was when somebody forwarded it: without its author. */
export interface Snapshot extends Pick<Message, 'content' | 'embeds' | 'attachments' | 'flags' | 'stickers' | 'createdAtMs'> {
  messageId: string
  channelId: string
}

export interface RegisteredCommand {
  id: string
  guildId: string | null
  /** The command as it was registered: Discord's `APIApplicationCommand` without the ids. */
  data: Record<string, unknown> & { name: string }
}

export interface Interaction {
  id: string
  token: string
  /** 2 a slash command or an entry of a message's menu, 3 a button or select, 4 autocomplete, 5 a submitted form. */
  type: 2 | 3 | 4 | 5
  guildId: string
  channelId: string
  userId: string
  /** Empty for buttons and forms. */
  commandName: string
  /** As the bot gets them: subcommands nest. Empty for buttons and forms. */
  options: unknown[]
  /** What INTERACTION_CREATE carries as `data`. */
  data: Record<string, unknown>
  /** The message whose button was pressed. */
  sourceMessageId: string | null
  createdAtMs: number
  /** Of the callback: how the bot answered first, and when. Absent: not yet, or never. */
  callback?: { type: number; atMs: number; ephemeral: boolean }
  /** The reply, once there is one; follow-ups in order behind it. */
  messageIds: string[]
  /** The bot's answer to autocomplete. */
  choices?: Choice[]
  /** The form that the bot answered with (`callback.type` 9). */
  modal?: Record<string, unknown>
  /** `failed`: no callback within 3 s, as Discord shows it. */
  state: 'waiting' | 'deferred' | 'answered' | 'failed'
}

export interface Choice {
  name: string
  value: string | number
}

export interface WorldEvents {
  message: [Message]
  messageEdited: [Message]
  messageDeleted: [Message]
  /** Several of one channel at once, as moderators do it. */
  messagesDeleted: [Message[]]
  voiceState: [guildId: string, before: VoiceState | null, after: VoiceState | null, userId: string]
  interaction: [Interaction]
  interactionChanged: [Interaction]
  commands: []
  channelCreated: [Channel]
  channelChanged: [Channel]
  channelDeleted: [Channel]
  roleCreated: [guildId: string, Role]
  roleChanged: [guildId: string, Role]
  roleDeleted: [guildId: string, roleId: string]
  botRemoved: [guildId: string]
}
