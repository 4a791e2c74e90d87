import { z } from 'zod'
import { memberPayload } from '../payload/people.ts'
import type { World } from '../world.ts'
import { INTENT } from './session.ts'
import type { Session } from './session.ts'

const CHUNK_MAX = 1000
const Id = z.string().regex(/^\d{1,20}$/)

export const MembersRequest = z.looseObject({
  guild_id: z.union([Id, z.array(Id).length(1).transform(([id = '']) => id)]),
  query: z.string().optional(),
  limit: z.int().min(0).default(0),
  user_ids: z.union([Id.transform((id) => [id]), z.array(Id).max(100)]).optional(),
  nonce: z.string().max(32).optional()
})

/** Op 8: members by name or by id, in chunks. All members at once need the members intent; without it there is no answer. */
export function sendMembers(world: World, session: Session, { guild_id: guildId, query, limit, user_ids: ids, nonce }: z.infer<typeof MembersRequest>): void {
  const guild = world.guilds.get(guildId)
  if (!guild) return
  if (!ids && query === '' && limit === 0 && !(session.intents & INTENT.guildMembers)) return
  const matches = (userId: string) => {
    const name = guild.members.get(userId)?.nick ?? world.users.get(userId)?.displayName ?? ''
    return ids ? ids.includes(userId) : name.toLowerCase().startsWith((query ?? '').toLowerCase())
  }
  const found = [...guild.members.values()].filter(({ userId }) => matches(userId)).slice(0, limit === 0 ? undefined : limit)
  const chunks = Math.max(1, Math.ceil(found.length / CHUNK_MAX))
  for (let index = 0; index < chunks; index++) {
    session.dispatch('GUILD_MEMBERS_CHUNK', {
      guild_id: guild.id,
      members: found.slice(index * CHUNK_MAX, (index + 1) * CHUNK_MAX).map((member) => memberPayload(world, member)),
      chunk_index: index,
      chunk_count: chunks,
      not_found: ids?.filter((id) => !guild.members.has(id)) ?? [],
      ...(nonce !== undefined && { nonce })
    })
  }
}
