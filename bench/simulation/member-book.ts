import type { Assignments } from '../../bot/members/assignments.ts'

export interface MemberBook extends Pick<Assignments, 'get' | 'set'> {
  /** The member will not come back. */
  leave(deviceId: string): void
}

/** The bot's assignments without the disk; tells of each change, `from` undefined for a member's first node. */
export function createMemberBook(onChange: (from: string | undefined, to: string | undefined) => void): MemberBook {
  const assigned = new Map<string, string>()
  return {
    get: (deviceId) => assigned.get(deviceId),
    set(deviceId, serverId) {
      const before = assigned.get(deviceId)
      if (before === serverId) return
      assigned.set(deviceId, serverId)
      onChange(before, serverId)
    },
    leave(deviceId) {
      const before = assigned.get(deviceId)
      assigned.delete(deviceId)
      if (before !== undefined) onChange(before, undefined)
    }
  }
}
