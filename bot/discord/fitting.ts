import { AttachmentBuilder } from 'discord.js'
import { VoxError } from '../core/errors.ts'
import type { AudioFile, Recording } from '../delivery/recording.ts'
import { fitUpload } from '../delivery/upload.ts'
import type { Upload } from '../delivery/upload.ts'
import { faultOf } from './dispatch.ts'

export type Fitting = Exclude<Upload, { how: 'tooLarge' }>

/** Discord may take less than it said: then half of what it refused is tried, so many times. */
const SMALLER_TIMES = 3

/**
 * Sends what fits of a recording, and where Discord finds it too large all the same, what is smaller.
 * @param limitBytes what Discord said that it takes in one file
 * @throws VoxError `UPLOAD_TOO_LARGE`, or what Discord said
 */
export async function sendFitting(recording: Recording, limitBytes: number, send: (fitting: Fitting) => Promise<void>): Promise<void> {
  let triedBytes = limitBytes
  for (let time = 0; ; time++) {
    const fitted = await fitUpload(recording, triedBytes)
    if (fitted.how === 'tooLarge') throw new VoxError('UPLOAD_TOO_LARGE', { sizeBytes: fitted.sizeBytes, limitBytes: triedBytes })
    try {
      await send(fitted)
      return
    } catch (error) {
      if (faultOf(error).code !== 'UPLOAD_TOO_LARGE' || time === SMALLER_TIMES) throw error
      triedBytes = Math.floor(Math.max(...filesOf(fitted).map(({ bytes }) => bytes.length)) / 2)
    }
  }
}

export const filesOf = (fitted: Fitting): AudioFile[] => (fitted.how === 'parts' ? fitted.files : [fitted.file])

export const attach = ({ name, bytes }: AudioFile) => new AttachmentBuilder(bytes, { name })
