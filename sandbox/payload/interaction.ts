import type { Resolved } from '../acts/resolved.ts'
import { permissionsOf } from '../permissions.ts'
import { placeOf } from '../find.ts'
import type { Interaction, World } from '../world.ts'
import { channelPayload } from './guild.ts'
import { messagePayload } from './message.ts'
import type { Links } from './message.ts'
import { uploadPayload } from './upload.ts'
import { memberPayload } from './people.ts'

/** What INTERACTION_CREATE carries; nothing when its member or channel is gone. */
export function interactionPayload(world: World, links: Links, interaction: Interaction) {
  const place = placeOf(world, interaction.channelId)
  const member = place?.guild.members.get(interaction.userId)
  if (!place || !member) return undefined
  const { guild, channel } = place
  const source = world.messages.get(interaction.sourceMessageId ?? '')
  return {
    id: interaction.id,
    application_id: world.application.id,
    type: interaction.type,
    token: interaction.token,
    version: 1,
    data: { ...interaction.data, ...targeted(world, links, interaction), ...withFiles(world, links, interaction) },
    guild_id: guild.id,
    guild: { id: guild.id, locale: 'en-US', features: [] },
    channel_id: channel.id,
    channel: channelPayload(channel),
    member: { ...memberPayload(world, member), permissions: String(permissionsOf(guild, interaction.userId, channel)) },
    app_permissions: String(permissionsOf(guild, world.application.id, channel)),
    locale: member.locale,
    guild_locale: 'en-US',
    entitlements: [],
    authorizing_integration_owners: { 0: guild.id },
    context: 0,
    attachment_size_limit: guild.uploadLimitBytes,
    ...(source && { message: messagePayload(world, links, source) })
  }
}

/** The message whose menu was used goes along whole, whatever the bot's intents. */
function targeted(world: World, links: Links, { data }: Interaction) {
  const targetId = data['target_id']
  const target = typeof targetId === 'string' ? world.messages.get(targetId) : undefined
  return target && { resolved: { messages: { [target.id]: messagePayload(world, links, target) } } }
}

/** The files of its options, with their addresses, beside what else it names. */
function withFiles(world: World, links: Links, { data }: Interaction) {
  const resolved = data['resolved'] as Resolved | undefined
  if (resolved?.attachments === undefined) return {}
  const files = Object.keys(resolved.attachments).flatMap((id) => world.uploads.get(id) ?? [])
  return { resolved: { ...resolved, attachments: Object.fromEntries(files.map((upload) => [upload.id, uploadPayload(world, links, upload)])) } }
}
