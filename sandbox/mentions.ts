import type { Guild } from './world.ts'

/** Discord's `allowed_mentions`: absent, everything that the text names is notified. */
export interface AllowedMentions {
  parse?: readonly string[] | undefined
  users?: readonly string[] | undefined
  roles?: readonly string[] | undefined
  replied_user?: boolean | undefined
}

export interface MentionContext {
  guild: Guild | undefined
  allowed: AllowedMentions | undefined
  /** The author may notify everybody. */
  mayMentionEveryone: boolean
  /** Whom the message answers: notified only with `replied_user`, or when nothing was said. */
  repliedUserId?: string | undefined
}

const idsIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].flatMap((match) => match[1] ?? [])

/** Who is notified by a text. Code blocks and inline code notify nobody. */
export function notified(content: string, { guild, allowed, mayMentionEveryone, repliedUserId }: MentionContext) {
  const text = content.replace(/```[\s\S]*?```|`[^`\n]*`/g, '')
  const allows = (kind: 'users' | 'roles' | 'everyone', id?: string) => {
    if (!allowed) return true
    if (allowed.parse?.includes(kind)) return true
    return kind !== 'everyone' && id !== undefined && (allowed[kind]?.includes(id) ?? false)
  }
  const users = new Set(idsIn(text, /<@!?(\d{15,20})>/g).filter((id) => allows('users', id)))
  for (const roleId of idsIn(text, /<@&(\d{15,20})>/g).filter((id) => allows('roles', id))) {
    for (const member of guild?.members.values() ?? []) if (member.roleIds.includes(roleId)) users.add(member.userId)
  }
  if (repliedUserId !== undefined && (allowed?.replied_user ?? allowed === undefined)) users.add(repliedUserId)
  const mentionsEveryone = mayMentionEveryone && /@(?:everyone|here)\b/.test(text) && allows('everyone')
  return { mentionedUserIds: [...users], mentionsEveryone }
}
