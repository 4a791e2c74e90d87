/**
 * Why a session ended by itself.
 * `kicked`: somebody disconnected the bot. `channelDeleted`, `channelFull`, `noPermission`: it can't be there any more. `removed`: it is no longer
 * in the server. `callEnded`, `rateLimited`, `encryption`: Discord's voice server said so for good (4022, 4021, 4017). `unreachable`: the
 * connection could not be had, or held, within its tries.
 */
export const OVER_REASONS = ['kicked', 'channelDeleted', 'channelFull', 'noPermission', 'removed', 'callEnded', 'rateLimited', 'encryption', 'unreachable'] as const
export type OverReason = (typeof OVER_REASONS)[number]
