/** Makes a file's body of samples as they come, without loss of its place between them. */
export interface PcmEncoder {
  add(samples: Int16Array): Uint8Array
  /** What it still holds; once, last. */
  end(): Uint8Array
}
