import OpenAI from 'openai'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { head, openRawCaller } from './raw-caller.ts'
import { errorOf, openSpeech } from './speech-stage.ts'
import type { SpeechStage } from './speech-stage.ts'

let stage: SpeechStage

beforeEach(async () => {
  stage = await openSpeech()
})

afterEach(() => stage.close())

const keys = (subcommand: string, options: Record<string, string | number> = {}, name = 'Mina') => stage.reply(name, 'general', 'keys', options, { subcommand })

async function make(options: Record<string, string | number> = {}) {
  const { content, flags } = await keys('make', { name: 'a *programme*', ...options })
  const [, secret = ''] = /^\|\|(vox-\S+)\|\|$/m.exec(content) ?? []
  const [, id = ''] = /`([0-9a-f]{8})`/.exec(content) ?? []
  return { content, flags, secret, id }
}

const say = (secret: string | undefined, input = 'Hello there.') => stage.client(secret).audio.speech.create({ model: 'tts-1', voice: 'nova', input })
const statusOf = (asked: Promise<unknown>) => asked.then(() => 200, (error: unknown) => (error instanceof OpenAI.APIError ? Number(error.status) : error))

describe('/keys', () => {
  it('makes a key that is shown once, to its maker alone, lists it without its secret, and takes it back', async () => {
    const { content, flags, secret, id } = await make({ per_minute: 7, concurrency: 2 })
    expect(content).toMatch(/^🔑 A key for \*\*a \\\*programme\\\*\*\* \(`[0-9a-f]{8}`\): 7 requests a minute, 2 at once\.\n\|\|vox-[\w-]{43}\|\|\nIt is shown here once/)
    expect(flags & 64).toBe(64)
    const unused = await keys('list')
    expect(unused.content).toMatch(/7 a minute, 2 at once\n-# made <t:\d+:R>, never used$/)
    expect((await say(secret)).status).toBe(200)
    const used = await keys('list')
    expect(used.content).toMatch(/-# made <t:\d+:R>, used <t:\d+:R>$/)
    expect(unused.content + used.content).not.toContain(secret.slice(4, 12))
    expect((await keys('revoke', { key: id })).content).toMatch(/opens nothing any more/)
    expect(await statusOf(say(secret))).toBe(401)
    expect((await keys('revoke', { key: id })).content).toMatch(/There is no key/)
    await make({ name: 'twice' })
    await make({ name: 'twice' })
    await make({ name: 'once' })
    expect((await keys('revoke', { key: 'once' })).content).toMatch(/opens nothing any more/)
    expect((await keys('revoke', { key: 'twice' })).content).toMatch(/There is no key/)
    for (const { id: left } of stage.bot.app.apiKeys.list()) await keys('revoke', { key: left })
    expect((await keys('list')).content).toMatch(/There are no API keys/)
  })

  it('suggests the keys that could be meant', async () => {
    const { id } = await make()
    await make({ name: 'another' })
    const choices = async (typed: string) => stage.sandbox.act.autocomplete(stage.person('Mina'), stage.channel('general'), 'keys', { key: typed }, 'key', { subcommand: 'revoke' })
    expect(await choices('PROG')).toEqual([{ name: `a *programme* ${id}`, value: id }])
    expect((await choices('')).length).toBe(2)
  })

  it('is for admins of the bot alone', async () => {
    expect(() => stage.slash('Haru', 'general', 'keys', {}, { subcommand: 'list' })).toThrow(/no command/)
  })

  it.each([['ja', /表示されます/], ['ko', /한 번만 보여요/]])('is said in the language of who asks: %s', async (locale, wanted) => {
    const mina = stage.sandbox.world.guilds.get(stage.guildId)?.members.get(stage.person('Mina'))
    if (mina !== undefined) mina.locale = locale
    expect((await make()).content).toMatch(wanted)
  })
})

describe('a key', () => {
  it('opens after a restart, and one that was taken back does not', async () => {
    const [kept, revoked] = [await make(), await make()]
    await keys('revoke', { key: revoked.id })
    await stage.restart()
    await expect.poll(() => stage.bot.app.pool.nodes()[0]?.health.state).toBe('ready')
    expect([await statusOf(say(kept.secret)), await statusOf(say(revoked.secret))]).toEqual([200, 401])
  })

  it('is held to its rate, and another key is not', async () => {
    const [slow, other] = [await make({ per_minute: 2 }), await make()]
    expect([await statusOf(say(slow.secret)), await statusOf(say(slow.secret))]).toEqual([200, 200])
    const error = await errorOf(say(slow.secret))
    expect(error).toBeInstanceOf(OpenAI.RateLimitError)
    expect([error.code, error.type]).toEqual(['rate_limit_exceeded', 'rate_limit_error'])
    expect(Number(error.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await statusOf(say(other.secret))).toBe(200)
  })

  it('is held to its requests at once, and lets the next in when one has ended', async () => {
    const { secret } = await make({ concurrency: 2 })
    const turn = Promise.withResolvers<'none'>()
    stage.node.faultFor = () => turn.promise
    const running = [say(secret, 'One.'), say(secret, 'Two.')]
    await expect.poll(() => stage.node.received.length).toBe(2)
    const error = await errorOf(say(secret, 'Three.'))
    expect(error).toBeInstanceOf(OpenAI.RateLimitError)
    expect(error.code).toBe('concurrency_limit_exceeded')
    turn.resolve('none')
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200])
    expect(await statusOf(say(secret, 'Three.'))).toBe(200)
  })

  it('gives its place back when its caller leaves', async () => {
    const { secret } = await make({ concurrency: 1 })
    stage.node.fault = 'hang'
    const abort = new AbortController()
    const left = stage.client(secret).audio.speech.create({ model: 'tts-1', voice: 'nova', input: 'Never said.' }, { signal: abort.signal })
    const failed = expect(left).rejects.toThrow()
    await expect.poll(() => stage.node.inFlight()).toBe(1)
    abort.abort()
    await failed
    stage.node.fault = 'none'
    await expect.poll(() => statusOf(say(secret))).toBe(200)
  })
})

describe('without a good key', () => {
  const body = JSON.stringify({ input: 'Hello.', response_format: 'opus' })
  const post = (headers: Record<string, string>) => fetch(stage.url('/v1/audio/speech'), { method: 'POST', headers, body })

  it.each([
    ['none, from this machine', {}, 200],
    ['a wrong one, even from this machine', { authorization: 'Bearer vox-wrong' }, 401],
    ['another kind of secret', { authorization: 'Basic YTpi' }, 401],
    ['none, through a proxy on this machine', { 'x-forwarded-for': '203.0.113.9' }, 401],
    ['none, from another site’s page in a browser here', { origin: 'https://evil.example' }, 401]
  ])('%s', async (_name, headers, status) => {
    const response = await post(headers)
    expect(response.status).toBe(status)
    if (status === 200) return
    expect([await response.json(), response.headers.get('www-authenticate')]).toMatchObject([{ error: { type: 'authentication_error', code: 'invalid_api_key', param: null } }, 'Bearer'])
  })

  it.each(['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-real-ip', 'x-client-ip', 'cf-connecting-ip', 'cf-ray', 'fly-client-ip'])(
    'what a proxy here marks with %s is not from this machine',
    async (header) => {
      expect((await post({ [header]: 'x' })).status).toBe(401)
    }
  )

  it.each([['HTTP/1.1', 200], ['HTTP/1.0', 401]])('what comes in %s from here is answered with %i: proxies that mark nothing speak 1.0', async (version, status) => {
    const caller = await openRawCaller(stage.bot.httpPort)
    caller.send(head(`GET /v1/models ${version}`, 'Host: 127.0.0.1', 'Connection: close'))
    expect((await caller.answer()).status).toBe(status)
    caller.leave()
  })

  it('a key in the address opens nothing', async () => {
    const { secret } = await make()
    const asked = await fetch(stage.url(`/v1/models?api_key=${secret}&key=${secret}&access_token=${secret}`), { headers: { 'x-forwarded-for': '203.0.113.9' } })
    expect(asked.status).toBe(401)
  })

  it('is an AuthenticationError of the official client', async () => {
    await expect(say('vox-wrong')).rejects.toBeInstanceOf(OpenAI.AuthenticationError)
  })

  it.each(['/v1/audio/voices', '/v1/models', '/v1/models/voxpool', '/v1/requests/x'])('%s is closed too', async (path) => {
    expect((await fetch(stage.url(path), { headers: { authorization: 'Bearer vox-wrong' } })).status).toBe(401)
  })
})
