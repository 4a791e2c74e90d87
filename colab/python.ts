import { spawn } from 'node:child_process'
import { basename } from 'node:path'
import { ensureVenv } from './venv.ts'

/**
 * `node colab/python.ts ARGS...` runs Python with these arguments in the project's environment, made by itself where needed.
 * Checks (`-m pytest`, `-m ruff`) are skipped with a word where there is no Python; anything else then fails.
 */
const args = process.argv.slice(2)
const isCheck = args[0] === '-m' && (args[1] === 'pytest' || args[1] === 'ruff')
const venv = await ensureVenv((line) => console.error(`python: ${line}`), isCheck ? 'tests' : 'node')

if (venv.ok) {
  // The runner reads nothing: its input is a pipe held here, so that it leaves the pool when this process is killed.
  const isRunner = args.some((arg) => basename(arg) === 'colab_runner.py')
  const child = spawn(venv.python, isRunner ? [...args, '--with-parent'] : args, { stdio: [isRunner ? 'pipe' : 'inherit', 'inherit', 'inherit'] })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
  child.once('error', (error) => {
    console.error(`python: ${error.message}`)
    process.exit(1)
  })
  child.once('exit', (code, signal) => {
    // As a shell tells it: a child that a signal ended counts as 128 and more.
    process.exit(code ?? (signal === 'SIGINT' ? 130 : 143))
  })
} else if (isCheck) {
  console.error(`skipped: ${args.slice(0, 2).join(' ')}, because ${venv.reason}`)
} else {
  console.error(`The node needs Python 3.10 or newer: ${venv.reason}.`)
  process.exitCode = 1
}
