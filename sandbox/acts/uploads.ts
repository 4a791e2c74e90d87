import type { Upload, World } from '../world.ts'
import { visiblePlace } from './commands.ts'
import { Refusal } from './refusal.ts'

/** Kept for commands that are still being filled in, and for bots that are about to fetch them. */
const UPLOADS_MAX = 50

/** Files for the options of commands: Discord's client uploads them first, and sends their ids with the command. */
export function uploadActs(world: World) {
  return {
    /** The id, as the value of an attachment option. @throws Refusal when it is larger than this server takes */
    upload(userId: string, channelId: string, file: Pick<Upload, 'filename' | 'contentType' | 'bytes'>): string {
      const { guild } = visiblePlace(world, userId, channelId)
      if (file.bytes.byteLength > guild.uploadLimitBytes) throw new Refusal('Your files are too powerful.')
      const upload = { ...file, id: world.nextId(), userId }
      world.uploads.set(upload.id, upload)
      for (const id of world.uploads.keys()) {
        if (world.uploads.size <= UPLOADS_MAX) break
        world.uploads.delete(id)
      }
      return upload.id
    }
  }
}
