import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { on, once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Agent, request } from 'undici'
import { parseOggOpus } from '../bot/audio/ogg.ts'
import { PACKET_MS } from '../bot/audio/opus.ts'
import { ensureVenv } from '../colab/venv.ts'
import { median, quantile, report, round } from './report.ts'

const RUNS = 80
const WARM_UP = 8
const READY_LIMIT_MS = 60_000
/** For the tone engine, whose own time is next to nothing, and for some three seconds of sound. */
const LIMITS = { httpP25Ms: 15, audioSecPerCpuSec: 40 }
const ENGINES = [
  { engine: 'tone', text: (run: number) => `Sentence number ${run}, of an ordinary length, for the bench.` },
  { engine: 'openjtalk', text: (run: number) => `これは${run}番目の、ふつうの長さの文です。` },
  { engine: 'hibari', text: (run: number) => `Sentence number ${run}, of an ordinary length, for the bench.` }
]
interface Own {
  engineMs: number
  opusMs: number
}

const COLAB = fileURLToPath(new URL('../colab', import.meta.url))
const ENGINE_TIME = fileURLToPath(new URL('./engine_time.py', import.meta.url))

/**
 * What the node adds to its engine: one text after the other, the engine and the encoder alone and then the whole node, in the same
 * run. `opus` is trimming, levelling and encoding; `http` is all the rest: HTTP, queue, the way to the synthesis process and back.
 */
export async function run(): Promise<void> {
  const venv = await ensureVenv(console.error)
  if (!venv.ok) throw new Error(`the node needs Python: ${venv.reason}`)
  const rows = []
  for (const { engine, text } of ENGINES) rows.push(await measure(venv.python, engine, text))
  const tone = rows[0]
  if (tone === undefined) throw new Error('nothing was measured')
  report('node', rows, {
    // What else runs on the machine can only add: the quieter quarter says what the node costs.
    [`tone: HTTP and queue, lower quartile <= ${LIMITS.httpP25Ms} ms`]: tone.httpP25Ms <= LIMITS.httpP25Ms,
    [`tone: audio seconds per CPU second >= ${LIMITS.audioSecPerCpuSec}`]: !(tone.audioSecPerCpuSec < LIMITS.audioSecPerCpuSec)
  })
}

async function measure(python: string, engine: string, text: (run: number) => string) {
  const node = await startNode(python, engine)
  const alone = startEngine(python, engine)
  const dispatcher = new Agent()
  const owns: Own[] = []
  const httpMs: number[] = []
  let audioSec = 0
  let cpuBeforeSec = 0
  try {
    for (let index = 0; index < RUNS + WARM_UP; index++) {
      const own = await alone.speak(text(index))
      // Nothing asks of the node in between: what it has used at the end is all for these.
      if (index === WARM_UP) cpuBeforeSec = cpuSeconds(node.child)
      const startMs = performance.now()
      const body = JSON.stringify({ model: 'voxpool', input: text(index), voice: 'auto', response_format: 'opus' })
      const response = await request(`${node.url}/v1/audio/speech`, { method: 'POST', headers: { 'content-type': 'application/json' }, body, dispatcher })
      const audio = new Uint8Array(await response.body.arrayBuffer())
      const tookMs = performance.now() - startMs
      if (response.statusCode !== 200) throw new Error(`the node answered ${response.statusCode}: ${Buffer.from(audio).toString()}`)
      if (index < WARM_UP) continue
      owns.push(own)
      httpMs.push(tookMs - own.engineMs - own.opusMs)
      audioSec += secondsOf(audio)
    }
    const [engineMs, opusMs] = [owns.map((own) => own.engineMs), owns.map((own) => own.opusMs)]
    const added = httpMs.map((each, index) => each + (opusMs[index] ?? 0))
    return {
      engine,
      audioSecEach: round(audioSec / RUNS, 2),
      engineMedianMs: round(median(engineMs), 1),
      engineP95Ms: round(quantile(engineMs, 0.95), 1),
      opusMedianMs: round(median(opusMs), 1),
      httpP25Ms: round(quantile(httpMs, 0.25), 1),
      httpMedianMs: round(median(httpMs), 1),
      addedMedianMs: round(median(added), 1),
      addedP95Ms: round(quantile(added, 0.95), 1),
      audioSecPerCpuSec: round(audioSec / (cpuSeconds(node.child) - cpuBeforeSec), 1)
    }
  } finally {
    alone.stop()
    node.child.kill()
    await dispatcher.close()
  }
}

async function startNode(python: string, engine: string): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(python, ['-u', '-m', 'voxnode', '--with-parent'], {
    cwd: COLAB,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ENGINE: engine, PORT: '0', NODE_KEY: '', GAS_URL: '' }
  })
  let url = ''
  for await (const [line] of on(createInterface({ input: child.stdout }), 'line', { signal: AbortSignal.timeout(READY_LIMIT_MS) })) {
    const entry: unknown = JSON.parse(String(line))
    if (typeof entry !== 'object' || entry === null || !('event' in entry)) continue
    if (entry.event === 'listening' && 'port' in entry) url = `http://127.0.0.1:${String(entry.port)}`
    if (entry.event === 'ready') break
  }
  // Its log is read for ever: a full pipe would stop it.
  child.stdout.resume()
  return { url, child }
}

function startEngine(python: string, engine: string) {
  const child = spawn(python, [ENGINE_TIME, engine], { stdio: ['pipe', 'pipe', 'ignore'] })
  const lines = createInterface({ input: child.stdout })
  return {
    async speak(text: string): Promise<Own> {
      const answered = once(lines, 'line', { signal: AbortSignal.timeout(READY_LIMIT_MS) })
      child.stdin.write(`${text}\n`)
      return JSON.parse(String((await answered)[0])) as Own
    },
    stop: () => child.kill()
  }
}

function secondsOf(audio: Uint8Array): number {
  const parsed = parseOggOpus(audio)
  if (!parsed.ok) throw new Error(`no Ogg Opus: ${parsed.reason}`)
  return (parsed.stream.packets.length * PACKET_MS) / 1000
}

/** The CPU time of the server and its synthesis process so far; NaN where there is no /proc to read it from. */
function cpuSeconds(server: ChildProcess): number {
  if (process.platform !== 'linux') return NaN
  const ticksPerSec = 100
  const stats = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(statOf)
  const ours = stats.filter((stat) => stat !== undefined && (stat.pid === server.pid || stat.parent === server.pid))
  return ours.reduce((sum, stat) => sum + (stat?.ticks ?? 0), 0) / ticksPerSec
}

function statOf(pid: string): { pid: number; parent: number; ticks: number } | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ')
    return { pid: Number(pid), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }
  } catch {
    return undefined
  }
}
