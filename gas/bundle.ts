import { join } from 'node:path'
import { build } from 'esbuild'

/** Apps Script calls functions declared at the top of a script file; a bundle's exports it does not see. */
const ENTRY = ['doGet', 'doPost', 'setup', 'onOpen', 'menuSetup', 'menuEnable', 'menuDisable', 'menuSweep'] as const

/**
 * The script as Apps Script runs it: the same sources give the same bytes on every machine.
 * @param options.allowLoopback lets nodes live at `http://127.0.0.1`; only for trying the script out on one machine
 */
export async function bundle({ allowLoopback = false } = {}): Promise<string> {
  const result = await build({
    entryPoints: [join(import.meta.dirname, 'main.ts')],
    absWorkingDir: join(import.meta.dirname, '..'),
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'Voxpool',
    target: 'es2020',
    charset: 'ascii',
    define: { ALLOW_LOOPBACK: String(allowLoopback) },
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    treeShaking: true,
    banner: { js: '// Voxpool registry, made by `npm run build:gas`: change gas/*.ts, not this file.' },
    footer: { js: ENTRY.map((name) => `function ${name}(event) { return Voxpool.${name}(event) }`).join('\n') }
  })
  return result.outputFiles[0]?.text ?? ''
}
