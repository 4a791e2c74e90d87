import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Before all tests: what they and the processes that they start put into the system's folder for temporary files goes into one of their own, and goes away with it. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'voxpool-tests-'))
  process.env['TMPDIR'] = folder
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
