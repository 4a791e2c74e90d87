/** A letter or a digit; a lengthening mark or a small tsu alone is nothing that an engine could make a sound of. */
const SOUND = /(?![っッ])[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{N}]/u

/** The gate before anything is queued: something in it must have a sound. */
export function isSpeakable(text: string): boolean {
  return SOUND.test(text)
}
