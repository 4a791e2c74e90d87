import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { toneOf } from '../../bot/audio/test-sound.ts'
import { ensureVenv } from '../../colab/venv.ts'
import { openSpeech } from './speech-stage.ts'
import type { SpeechStage } from './speech-stage.ts'

const PROGRAM = fileURLToPath(new URL('openai_client.py', import.meta.url))

let stage: SpeechStage

beforeEach(async () => {
  stage = await openSpeech({ packetsOf: () => toneOf(1_000, () => 0.5) })
})

afterEach(() => stage.close())

it('the official Python client works as it is', async () => {
  const venv = await ensureVenv(() => {}, 'tests')
  if (!venv.ok) throw new Error(`the Python client needs Python: ${venv.reason}`)
  const { secret = '' } = stage.bot.app.apiKeys.make('a program in Python') ?? {}
  const env = { ...process.env, BASE_URL: stage.url('/v1'), API_KEY: secret, TEXT: 'Hello there.' }
  const { stdout } = await promisify(execFile)(venv.python, [PROGRAM], { env, timeout: 50_000 })
  const bytes = ((1_000 - 6.5) * 24_000 * 2) / 1_000
  expect(JSON.parse(stdout)).toEqual({
    pcm: bytes,
    wav: bytes + 44,
    streamed: bytes + 44,
    mp3: expect.any(Number) as number,
    opus: expect.any(Number) as number,
    flac: expect.any(Number) as number,
    models: ['voxpool'],
    error: ['invalid_request', 'response_format', expect.stringMatching(/^[0-9a-f]{16}$/) as string],
    unauthorized: 'invalid_api_key'
  })
})
