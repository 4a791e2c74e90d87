/** What a fault means for whoever meets it; see DESIGN's "Errors". `user` and `busy` never count against a node. */
export type FaultKind = 'user' | 'busy' | 'node' | 'registry' | 'discord' | 'bug'

/** Every fault by its code: what it means, and whether the same thing is worth trying again (elsewhere, or later). */
export const FAULTS = {
  TEXT_REFUSED: { kind: 'user', retryable: false },
  /** No node of the pool has the voice. */
  VOICE_UNKNOWN: { kind: 'user', retryable: false },
  /** This node lacks the voice; another may have it. */
  VOICE_NOT_HERE: { kind: 'busy', retryable: true },
  NODE_BUSY: { kind: 'busy', retryable: true },
  /** It rests or has left while the request waited for its turn there. */
  NODE_LEFT: { kind: 'busy', retryable: true },
  NO_NODE: { kind: 'busy', retryable: true },
  RESTARTING: { kind: 'busy', retryable: true },
  OUT_OF_TIME: { kind: 'busy', retryable: true },
  TEXT_BREAKS_NODES: { kind: 'node', retryable: false },
  NODE_UNREACHABLE: { kind: 'node', retryable: true },
  NODE_UNRESOLVED: { kind: 'node', retryable: true },
  NODE_RESET: { kind: 'node', retryable: true },
  NODE_SILENT: { kind: 'node', retryable: true },
  /** Another node that was asked later answered sooner. */
  NODE_LATE: { kind: 'node', retryable: true },
  NODE_STATUS: { kind: 'node', retryable: true },
  NODE_UNAUTHORIZED: { kind: 'node', retryable: true },
  NODE_BAD_REPLY: { kind: 'node', retryable: true },
  NODE_FORBIDDEN_HOST: { kind: 'node', retryable: true },
  REGISTRY_UNREACHABLE: { kind: 'registry', retryable: true },
  REGISTRY_SILENT: { kind: 'registry', retryable: true },
  REGISTRY_BAD_REPLY: { kind: 'registry', retryable: true },
  REGISTRY_REFUSED: { kind: 'registry', retryable: false },
  VOICE_CONNECTION: { kind: 'discord', retryable: true },
  /** Muted, in the audience of a stage, or without the encryption of the call: nobody would have heard it, or has. */
  VOICE_SILENCED: { kind: 'discord', retryable: true },
  DISCORD_API: { kind: 'discord', retryable: false },
  UPLOAD_TOO_LARGE: { kind: 'discord', retryable: false },
  CANCELLED: { kind: 'user', retryable: false },
  /** The disk is full or fails: what a member chose was not written down. */
  NOT_KEPT: { kind: 'bug', retryable: false },
  BUG: { kind: 'bug', retryable: false }
} as const satisfies Record<string, { kind: FaultKind; retryable: boolean }>

export type FaultCode = keyof typeof FAULTS

/**
 * The one class of faults. Its message is for logs: `code`, then the context. The context never holds a token, a key or what a
 * member wrote; what a person reads is made from the code by `i18n`.
 */
export class VoxError extends Error {
  readonly code: FaultCode
  readonly context: Readonly<Record<string, unknown>>

  constructor(code: FaultCode, context: Record<string, unknown> = {}, cause?: unknown) {
    super(`${code} ${JSON.stringify(context)}`, { cause })
    this.name = 'VoxError'
    this.code = code
    this.context = context
  }

  get kind(): FaultKind {
    return FAULTS[this.code].kind
  }

  get retryable(): boolean {
    return FAULTS[this.code].retryable
  }
}

/** Any thrown thing as a `VoxError`: what is not one yet is a bug, with its cause kept. */
export function asVoxError(thrown: unknown): VoxError {
  return thrown instanceof VoxError ? thrown : new VoxError('BUG', {}, thrown)
}
