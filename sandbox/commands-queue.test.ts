import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startFaultNode } from './fault-node.ts'
import type { FaultNode } from './fault-node.ts'
import { openStage } from './stage.ts'
import type { Stage } from './stage.ts'

let stage: Stage
let node: FaultNode

beforeEach(async () => {
  stage = await openStage()
  node = await startFaultNode({ serverId: 'n1' })
  await stage.register(node)
  for (const name of ['Mina', 'Haru', 'Jisoo']) stage.sandbox.act.joinVoice(stage.person(name), stage.channel('Lounge'))
})

afterEach(async () => {
  await stage.close()
  await node.close()
})

const queue = async (name: string) => (await stage.reply(name, 'general', 'queue')).content

/** A sentence that plays for some seconds. */
const long = (words: string) => `${words} ${'and so on '.repeat(25)}to the end.`

describe('/queue', () => {
  it('shows who is heard and who waits, their first words, the seconds to go, and one’s own place', async () => {
    const listener = stage.sandbox.voice.listen(stage.guildId, stage.channel('Lounge'))
    stage.slash('Mina', 'general', 'say', { text: long('The *first* one') })
    await listener.heard(5)
    for (const [name, text] of [['Haru', 'The second one.'], ['Mina', 'The third one.']] as const) {
      const said = stage.slash(name, 'general', 'say', { text })
      await stage.replyLike(said, /⏳/)
    }
    const shown = await queue('Haru')
    expect(shown.split('\n')).toEqual([
      expect.stringMatching(new RegExp(`^<#${stage.channel('Lounge')}> の読み上げ: 全部で約 [1-9]\\d* 秒$`)),
      expect.stringMatching(/^🔊 \*\*Mina\*\*: The first one and so on .*… · あと [1-9]\d* 秒$/),
      expect.stringMatching(/^1\. \*\*Haru\*\*: The second one\. · [1-9]\d* 秒後$/),
      expect.stringMatching(/^2\. \*\*Mina\*\*: The third one\. · [1-9]\d* 秒後$/),
      expect.stringMatching(/^👉 あなたの次の順番は 1 番目、約 [1-9]\d* 秒後です。$/)
    ])
    expect(await queue('Mina')).toMatch(/👉 Yours is being said now\./)
    const reply = await stage.reply('Jisoo', 'general', 'queue')
    expect([reply.content, reply.onlyForUserId]).toEqual([expect.stringMatching(/기다리는 내 것은 없어요\.$/), stage.person('Jisoo')])
    expect((await stage.replyLike(stage.slash('Alex', 'general', 'status'), /Waiting here/)).content).toMatch(/Waiting here: \*\*3\*\*, about [1-9]\d* s/)
  })

  it('stays within a message and shows names as plain text', async () => {
    const member = stage.sandbox.world.guilds.get(stage.guildId)?.members.get(stage.person('Haru'))
    if (member) member.nick = '**@everyone** [x](http://a.example)'
    for (let index = 0; index < 40; index++) stage.slash('Haru', 'general', 'say', { text: long(`Number ${index} ||secret|| <@${stage.person('Mina')}>`) })
    await stage.sandbox.act.until(() => (stage.bot.app.sessions.get(stage.guildId)?.queued() ?? 0) === 40)
    const content = await queue('Mina')
    expect(content.length).toBeLessThanOrEqual(2000)
    expect(content).toMatch(/… and \d+ more\.\nNothing of yours waits\.$/)
    expect(content).toContain('**\\*\\*\\@everyone\\*\\* \\[x\\]\\(http://a.example\\)**')
  })

  it('says so where nothing waits, or the bot is not there', async () => {
    expect(await queue('Mina')).toMatch(/I am not in a voice channel here/)
    await stage.replyLike(stage.slash('Mina', 'general', 'join'), /I am in/)
    expect(await queue('Mina')).toMatch(/Nothing waits/)
  })
})
