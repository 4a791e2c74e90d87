import { permissionsOf } from '../permissions.ts'
import { placeOf } from '../find.ts'
import type { Interaction, World } from '../world.ts'
import { channelPayload } from './guild.ts'
import { messagePayload } from './message.ts'
import type { Links } from './message.ts'
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
    data: interaction.data,
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
