import { constants } from 'node:fs'
import type { BigIntStats } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join, sep } from 'node:path'

/** A file that is open for one answer; whoever gets it closes it. */
export interface OpenFile {
  handle: FileHandle
  /** As it was asked for: what a link to it is called says what it is, and whether it may be kept. */
  name: string
  /** Where it lies, with every link followed. */
  path: string
  sizeBytes: number
  modifiedMs: number
  /** Changes with the content. */
  version: string
}

/** A pipe is not waited for: it would hold one of Node's few file threads. Nor is a link followed that took the file's place a moment ago. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

/**
 * Opens a regular file below a folder; undefined where there is none. A symbolic link counts as what it leads to, so that one which leads out of the
 * folder is not there.
 */
export async function openFile(root: string, file: string): Promise<OpenFile | undefined> {
  let handle: FileHandle | undefined
  try {
    const [home, path] = await Promise.all([realpath(root), realpath(join(root, file))])
    if (!path.startsWith(home + sep)) return undefined
    handle = await open(path, FLAGS)
    const stats = await handle.stat({ bigint: true })
    if (stats.isFile()) return { handle, name: file, path, sizeBytes: Number(stats.size), modifiedMs: Number(stats.mtimeMs), version: versionOf(stats) }
  } catch (error) {
    await handle?.close()
    if (error instanceof Error && 'code' in error && ABSENT.has(String(error.code))) return undefined
    throw error
  }
  await handle.close()
  return undefined
}

/** Of an open file, as it is now: its size, its time and its inode. */
export function versionOf({ size, mtimeNs, ino }: BigIntStats): string {
  return [size, mtimeNs, ino].map((part) => part.toString(36)).join('-')
}

const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'EISDIR', 'EACCES', 'EPERM', 'ENXIO'])
