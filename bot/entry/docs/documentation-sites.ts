import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Log } from '../../core/log.ts'
import type { Site } from '../sites/site.ts'
import { BASE } from './contents.ts'
import { documentation } from './documentation.ts'

const REPOSITORY = join(import.meta.dirname, '../../..')

/**
 * Writes the documentation below `dataDir`, anew at each start, and says where it is served. The folder is there whole or not at all, however the bot
 * ends. Where it can't be written there is a warning, and the site has no pages: the bot does all else without them.
 * @param dataDir of the one bot that may write there
 */
export async function documentationSites({ dataDir, log, repository = REPOSITORY }: { dataDir: string; log: Log; repository?: string }): Promise<Site[]> {
  // Names that nobody's own folder has, should DATA_DIR be one that holds more than this: both are removed with all that is in them.
  const root = join(dataDir, 'voxpool-docs')
  const unfinished = join(dataDir, 'voxpool-docs.new')
  try {
    const files = await documentation(repository)
    await rm(unfinished, { recursive: true, force: true })
    for (const [path, content] of files) {
      const file = join(unfinished, path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, content)
    }
    await rm(root, { recursive: true, force: true })
    await rename(unfinished, root)
  } catch (error) {
    log.warn({ err: error }, `The documentation could not be written to ${root}, so ${BASE} is empty. Everything else is there.`)
    // Pages of an older version would tell of another bot.
    await rm(root, { recursive: true, force: true }).catch(() => {})
  }
  return [{ host: '*', base: BASE, kind: 'pages', root }]
}
