import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Voice } from '../bot/wire/node.ts'
import { startFaultNode } from './fault-node.ts'
import type { FaultNode } from './fault-node.ts'
import { openStage } from './stage.ts'
import type { Stage } from './stage.ts'

const VOICES: Voice[] = [
  { id: 'mei', name: 'Mei', language: 'ja', engine: 'openjtalk', licence: 'CC BY 3.0', credit: 'HTS Working Group' },
  { id: 'odd', name: '**Odd** @everyone', language: 'en', engine: 'x', licence: '[Free](http://a.example)' },
  { id: 'wild', name: 'Wild', language: 'en', engine: 'x' },
  ...Array.from({ length: 30 }, (_, index) => ({ id: `k${index}`, name: `Kokoro ${index}`, language: 'en', engine: 'kokoro', licence: 'Apache-2.0' }))
]

let stage: Stage
let node: FaultNode

beforeEach(async () => {
  stage = await openStage()
  node = await startFaultNode({ serverId: 'n1', voices: VOICES })
})

afterEach(async () => {
  await stage.close()
  await node.close()
})

describe('/help', () => {
  it.each([
    ['Alex', /I speak in voice channels/, 'Choose how you sound', 'set · show', 'Read aloud in my voice'],
    ['Haru', /ボイスチャンネルで読み上げます/, '声の設定', 'set:', '自分の声で読み上げる'],
    ['Jisoo', /음성 채널에서 말해요/, '내 목소리를 고릅니다', '보기', '내 목소리로 읽기']
  ])('tells %s what there is, in their language, to click on', async (name, intro, description, _subcommands, menu) => {
    const { content, onlyForUserId } = await stage.reply(name, 'general', 'help')
    const ids = stage.bot.app.commandIds
    expect(content).toMatch(intro)
    for (const part of [`</say:${ids.get('say')}>`, `</voice set:${ids.get('voice')}>`, description, menu]) expect(content).toContain(part)
    expect(content).not.toContain('nodes')
    expect([content.length <= 2000, onlyForUserId]).toEqual([true, stage.person(name)])
  })

  it('tells admins of their commands too', async () => {
    expect((await stage.reply('Mina', 'general', 'help')).content).toContain('</nodes list:')
  })
})

describe('/status', () => {
  it.each([['Alex', 'being emptied'], ['Haru', '空にしている途中'], ['Jisoo', '비우는 중']])('tells %s of a node that is being emptied', async (name, words) => {
    await stage.register(node)
    await expect.poll(() => stage.bot.app.pool.nodes().length).toBe(1)
    stage.bot.app.pool.setDraining('n1', true)
    expect((await stage.replyLike(stage.slash(name, 'general', 'status'), /n1/)).content).toContain(words)
  })
})

describe('/credits', () => {
  it('names the licences of the pool’s voices and whom to credit, as plain text', async () => {
    expect((await stage.reply('Jisoo', 'general', 'credits')).content).toMatch(/아직 알려진 목소리가 없어요\.\n.*\nVoxpool은 MIT/)
    await stage.register(node)
    await expect.poll(() => stage.bot.app.pool.nodes()[0]?.voices?.length).toBe(VOICES.length)
    const { content, onlyForUserId } = await stage.reply('Alex', 'general', 'credits')
    expect(content).toContain('**CC BY 3.0**: Mei. Credit: HTS Working Group')
    expect(content).toMatch(/\*\*Apache\\-2\.0\*\*: Kokoro 0, .* and 22 more/)
    expect(content).toContain('**\\[Free\\]\\(http://a.example\\)**: \\*\\*Odd\\*\\* \\@everyone')
    expect(content).toMatch(/no licence: Wild\n.*\nVoxpool itself is free software under the MIT licence\.$/)
    expect([content.length <= 2000, onlyForUserId]).toEqual([true, stage.person('Alex')])
  })
})
