import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../bot/core/clock.ts'
import { GuildSettings } from '../bot/guilds/settings.ts'
import { sentences } from '../bot/i18n/index.ts'
import { openInteraction } from './interactions.ts'
import { answered, panelOf, saidTo } from './panel.ts'
import type { Panel } from './panel.ts'
import { openStage } from './stage.ts'
import type { Stage } from './stage.ts'

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage.close())

const { en } = sentences
const kept = () => stage.bot.app.settings.get(stage.guildId)
const open = async (name: string): Promise<Panel> => panelOf(stage, await stage.reply(name, 'general', 'settings'), 'settings')

describe('what no panel of ours would send', () => {
  const forge = (panel: Panel, data: Record<string, unknown>) =>
    answered(stage, 
      openInteraction(stage.sandbox.world, systemClock, {
        type: 3, guildId: stage.guildId, channelId: panel.message().channelId, userId: stage.person('Mina'), commandName: '', options: [], data, sourceMessageId: panel.message().id
      })
    )

  it.each(['settings', 'settings:who', 'settings:who:choose:maxLength', 'settings:constructor:show', 'settings:who:switch:999999', 'settings:how:fill:1:2:3'])('is answered with a word when the id is %s', async (id) => {
    const panel = await open('Mina')
    expect(saidTo(stage, await forge(panel, { custom_id: id, component_type: 2 }))).toBe(en['settings.old']())
    expect(kept()).toEqual(GuildSettings.parse({}))
  })

  it.each([
    ['settings:how:choose:links', 3, ['everything']],
    ['settings:moves:choose:idleMinutes', 3, ['99999']],
    ['settings:who:switch:0', 3, ['managerRoleId', 'autoJoin']],
    ['settings:server:role', 6, ['1100000000000000999']],
    ['settings:server:voice', 3, ['no-voice-of-the-pool']],
    ['settings:how:role', 6, ['1']]
  ])('changes nothing: %s', async (id, type, values) => {
    const panel = await open('Mina')
    await forge(panel, { custom_id: id, component_type: type, values })
    expect(kept()).toEqual(GuildSettings.parse({}))
    expect(stage.bot.app.preferences.get({ guildId: stage.guildId })).toEqual({})
    expect(panel.message().content).toContain(en['settings.same']())
  })
})

describe('a disk that is full', () => {
  it('is told to who wanted something kept; the bot goes on, and keeps it once there is room', async () => {
    const panel = await open('Mina')
    stage.bot.database.exec('PRAGMA max_page_count = 1')
    const fill = () => {
      for (let at = 0; at < 5000; at++) stage.bot.app.settings.change(String(1_100_000_000_000_000_000n + BigInt(at)), { maxLength: 55 })
    }
    expect(fill).toThrow(/full/)
    const refused = await panel.choose('Mina', 'who:switch', 'readsBots')
    expect(saidTo(stage, refused)).toBe(en['fault.NOT_KEPT']())
    expect(kept().readsBots).toBe(false)
    expect((await stage.reply('Mina', 'general', 'status')).content).toContain('Nodes that can speak')
    stage.bot.database.exec('PRAGMA max_page_count = 100000')
    await panel.choose('Mina', 'who:switch', 'readsBots')
    expect(kept().readsBots).toBe(true)
  })
})
