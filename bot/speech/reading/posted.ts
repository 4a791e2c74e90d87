/** A message as people post it, without Discord's library. */
export interface Posted {
  /** Discord's markdown. */
  content: string
  /** Their names. */
  stickers?: readonly string[]
  attachments?: readonly Attached[]
  poll?: { question: string; answers: readonly string[] }
  /** A forwarded message. */
  forwarded?: Posted
}

export interface Attached {
  kind: 'image' | 'video' | 'audio' | 'voiceMessage' | 'text' | 'file'
  name: string
}
