import type { Upload, World } from '../world.ts'
import type { Links } from './message.ts'

/** A file of a command's option, which no message has: Discord serves it for a while under an address of its own. */
export function uploadPayload(world: World, links: Links, { id, filename, contentType, bytes }: Upload) {
  const url = `${links.origin}/ephemeral-attachments/${world.application.id}/${id}/${encodeURIComponent(filename)}`
  return { id, filename, size: bytes.byteLength, url, proxy_url: url, content_type: contentType, ephemeral: true }
}
