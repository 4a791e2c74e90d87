import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { GuildSettings } from '../bot/guilds/settings.ts'
import { sentences } from '../bot/i18n/index.ts'
import { startFaultNode } from './fault-node.ts'
import { answered, panelOf, saidTo } from './panel.ts'
import type { Panel } from './panel.ts'
import { permission } from './permissions.ts'
import { openStage } from './stage.ts'
import type { Stage } from './stage.ts'
import type { Interaction, Role } from './world.ts'

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage.close())

const { en } = sentences
const kept = () => stage.bot.app.settings.get(stage.guildId)
const guild = () => stage.sandbox.world.guilds.get(stage.guildId)!
const role = (name: string): Role => [...guild().roles.values()].find((each) => each.name === name)!
const setRoles = (name: string, ...roles: string[]) => {
  guild().members.get(stage.person(name))!.roleIds = roles
}
/** A role without any right. */
function plainRole(name: string): string {
  const id = stage.sandbox.world.nextId()
  guild().roles.set(id, { id, name, permissions: 0n })
  stage.sandbox.world.events.emit('roleCreated', stage.guildId, guild().roles.get(id)!)
  return id
}

const open = async (name: string): Promise<Panel> => panelOf(stage, await stage.reply(name, 'general', 'settings'), 'settings')

describe('the panel', () => {
  it('is seen by who opened it alone, and holds all settings in four sections', async () => {
    const panel = await open('Mina')
    expect(panel.message().onlyForUserId).toBe(stage.person('Mina'))
    for (const section of ['who', 'how', 'moves', 'server'] as const) {
      await panel.press('Mina', `${section}:show`)
      expect(panel.message().content).toContain(`### ${en[`settings.${section}`]()}`)
      expect(panel.message().components.length).toBeLessThanOrEqual(5)
    }
  })

  it('keeps each change at once and shows it in its place', async () => {
    const panel = await open('Mina')
    await panel.choose('Mina', 'who:switch', 'readsBots', 'onlyInVoice')
    expect(kept()).toEqual({ ...GuildSettings.parse({}), readsBots: true, onlyInVoice: true })
    expect([panel.on('who:switch'), panel.message().content.includes(en['settings.saved']())]).toEqual([['readsBots', 'onlyInVoice'], true])
    await panel.choose('Mina', 'who:switch')
    expect(kept()).toEqual(GuildSettings.parse({}))

    await panel.press('Mina', 'how:show')
    await panel.choose('Mina', 'how:choose:links', 'site')
    await panel.choose('Mina', 'how:choose:spoilers', 'read')
    await panel.choose('Mina', 'how:choose:code', 'skip')
    await panel.choose('Mina', 'how:switch', 'saysName', 'announces')
    expect(kept()).toMatchObject({ links: 'site', spoilers: 'read', code: 'skip', saysName: true, announces: true, attachments: 'skip', emoji: 'skip', speedsUp: false })
    expect([panel.on('how:choose:links'), panel.on('how:switch')]).toEqual([['site'], ['saysName', 'announces']])

    await panel.press('Mina', 'moves:show')
    await panel.choose('Mina', 'moves:choose:idle', '30')
    await panel.choose('Mina', 'moves:switch', 'autoLeave')
    expect(kept()).toMatchObject({ idleMinutes: 30, autoJoin: false, autoLeave: true })

    await panel.press('Mina', 'server:show')
    await panel.choose('Mina', 'server:choose:language', 'ko')
    expect(kept().language).toBe('ko')
    expect([...stage.sandbox.world.messages.values()].filter(({ authorId }) => authorId === stage.sandbox.world.application.id)).toHaveLength(1)
  })

  it.each([['Mina', 'en'], ['Haru', 'ja'], ['Jisoo', 'ko']] as const)('speaks to %s in %s', async (name, language) => {
    setRoles(name, role('Admins').id)
    const panel = await open(name)
    const words = sentences[language]
    await panel.press(name, 'moves:show')
    await panel.choose(name, 'moves:switch')
    expect(panel.message().content).toBe(`### ${words['settings.moves']()}\n${words['settings.hint.moves']()}\n${words['settings.saved']()}`)
    expect(panel.control('moves:choose').options?.map((option) => option['label'])).toContain(words['settings.idle']({ minutes: 10 }))
  })

  it('works after a restart of the bot, and shows what was kept', async () => {
    const panel = await open('Mina')
    await panel.choose('Mina', 'who:switch', 'readsBots')
    await stage.restart()
    await panel.choose('Mina', 'who:switch', 'readsBots', 'readsWebhooks')
    expect(kept()).toMatchObject({ readsBots: true, readsWebhooks: true })
    expect(panel.on('who:switch')).toEqual(['readsBots', 'readsWebhooks'])
  })

  it('changes only what was touched, whatever another manager did since it was drawn', async () => {
    setRoles('Haru', role('Admins').id)
    const [mina, haru] = [await open('Mina'), await open('Haru')]
    await haru.choose('Haru', 'who:switch', 'readsBots')
    await mina.choose('Mina', 'who:switch', 'onlyInVoice')
    expect(kept()).toMatchObject({ readsBots: true, readsWebhooks: false, onlyInVoice: true })
    expect(mina.on('who:switch')).toEqual(['readsBots', 'onlyInVoice'])
    // What both saw as off, one of them switches on, the other leaves off.
    await haru.choose('Haru', 'who:switch', 'readsBots', 'readsWebhooks')
    await mina.choose('Mina', 'who:switch', 'onlyInVoice')
    expect(kept()).toMatchObject({ readsBots: false, readsWebhooks: true, onlyInVoice: true })
  })
})

describe('the form', () => {
  async function formOf(panel: Panel): Promise<Interaction> {
    await panel.press('Mina', 'how:show')
    const asked = await panel.press('Mina', 'how:form')
    expect(asked.modal).toMatchObject({ title: en['settings.how'](), components: [{ component: { value: '300' } }, { component: { value: ';' } }] })
    return asked
  }
  const send = (asked: Interaction, answers: Record<string, string>) => answered(stage, stage.sandbox.act.submitForm(asked.id, answers))

  it('takes a length, in digits of any width, and a prefix, also an empty one', async () => {
    const panel = await open('Mina')
    await send(await formOf(panel), { length: '１２０', prefix: '::' })
    expect(kept()).toMatchObject({ maxLength: 120, skipPrefix: '::' })
    expect(panel.message().content).toContain(en['settings.hint.how']({ max: 120, prefix: '::' }))
    const again = await panel.press('Mina', 'how:form')
    await send(again, { prefix: '' })
    expect(kept()).toMatchObject({ maxLength: 120, skipPrefix: '' })
    expect(panel.message().content).toContain(en['settings.hint.howAll']({ max: 120 }))
  })

  it.each(['9', '2001', '12.5', 'many', '-30'])('says what is wrong with a length of %s, and keeps nothing', async (length) => {
    const panel = await open('Mina')
    await send(await formOf(panel), { length, prefix: '!' })
    expect(panel.message().content).toContain(en['settings.badLength']({ min: 10, max: 2000 }))
    expect(kept()).toEqual(GuildSettings.parse({}))
  })

  it('leaves what was not rewritten as another manager has set it meanwhile', async () => {
    const panel = await open('Mina')
    const asked = await formOf(panel)
    stage.bot.app.settings.change(stage.guildId, { maxLength: 700 })
    await send(asked, { prefix: '#' })
    expect(kept()).toMatchObject({ maxLength: 700, skipPrefix: '#' })
  })
})

describe('who may change it', () => {
  it('is who manages the server, and nobody else', async () => {
    expect((await stage.reply('Alex', 'general', 'settings')).content).toBe(en['refused.notManager']())
    expect((await stage.reply('Haru', 'general', 'settings')).content).toBe(sentences.ja['refused.notManager']())
    const managers = plainRole('Managers')
    stage.sandbox.act.setPermissions(stage.guildId, managers, permission.ManageGuild)
    setRoles('Alex', managers)
    expect((await stage.reply('Alex', 'general', 'settings')).content).toContain(en['settings.who']())
  })

  it('is the manager role too, which may be given by who manages the server alone', async () => {
    const helpers = plainRole('Helpers')
    const panel = await open('Mina')
    await panel.press('Mina', 'server:show')
    await panel.choose('Mina', 'server:role', helpers)
    expect(kept().managerRoleId).toBe(helpers)
    expect(panel.message().content).toContain(en['settings.managers']({ role: `<@&${helpers}>` }))
    expect(panel.control('server:role')['default_values']).toEqual([{ id: helpers, type: 'role' }])

    setRoles('Alex', helpers)
    const theirs = await open('Alex')
    await theirs.choose('Alex', 'who:switch', 'readsBots')
    expect(kept().readsBots).toBe(true)
    await theirs.press('Alex', 'server:show')
    expect(theirs.control('server:role').disabled).toBe(true)
    await panel.choose('Mina', 'server:role')
    expect(kept().managerRoleId).toBeNull()
  })

  it('is asked anew at every press: who has lost the right is refused, and changes nothing', async () => {
    setRoles('Alex', role('Admins').id)
    const panel = await open('Alex')
    await panel.press('Alex', 'server:show')
    setRoles('Alex')
    expect(saidTo(stage, await panel.choose('Alex', 'server:choose:language', 'ja'))).toBe(en['refused.notManager']())
    const helpers = plainRole('Helpers')
    stage.bot.app.settings.change(stage.guildId, { managerRoleId: helpers })
    setRoles('Alex', helpers)
    await panel.choose('Alex', 'server:role', role('Admins').id)
    expect(panel.message().content).toContain(en['settings.onlyServer']())
    expect(kept()).toEqual({ ...GuildSettings.parse({}), managerRoleId: helpers })
  })
})

describe('the role of those who are read', () => {
  it('is chosen and left again; one that is gone is said to be', async () => {
    const readers = plainRole('Readers')
    const panel = await open('Mina')
    await panel.choose('Mina', 'who:role', readers)
    expect(kept().readerRoleId).toBe(readers)
    expect(panel.message().content).toContain(en['settings.readers']({ role: `<@&${readers}>` }))
    await panel.choose('Mina', 'who:role')
    expect(kept().readerRoleId).toBeNull()
    stage.bot.app.settings.change(stage.guildId, { readerRoleId: '1100000000000000999' })
    expect((await stage.reply('Mina', 'general', 'settings')).content).toContain(en['settings.readersGone']())
  })
})

describe('the server’s voice', () => {
  it('is one of those that the pool has; the rest of the default sound stays', async () => {
    const node = await startFaultNode({ serverId: 'n1', voices: Array.from({ length: 40 }, (_, at) => ({ id: `voice-${at}`, name: `Voice ${at}`, language: at < 5 ? 'ja' : 'en-US', engine: 'tone' })) })
    await stage.register(node)
    await expect.poll(() => stage.bot.app.pool.nodes()[0]?.voices?.length).toBe(40)
    const scope = { guildId: stage.guildId }
    stage.bot.app.preferences.set(scope, { speed: 1.5 })
    const panel = await open('Mina')
    await panel.press('Mina', 'server:show')
    expect(panel.control('server:voice').options?.length).toBeLessThanOrEqual(25)
    expect(panel.control('server:voice').options?.map(({ value }) => value)).not.toContain('voice-0')
    expect(panel.message().content).toContain(en['settings.voices']({ max: 23, count: 40 }))
    const voice = panel.control('server:voice').options?.at(9)?.value ?? ''
    await panel.choose('Mina', 'server:voice', voice)
    expect(stage.bot.app.preferences.get(scope)).toEqual({ voice, speed: 1.5 })
    expect(panel.on('server:voice')).toEqual([voice])
    await panel.choose('Mina', 'server:voice', 'auto')
    expect(stage.bot.app.preferences.get(scope)).toEqual({ speed: 1.5 })
    await node.close()
  })

  it('stays chosen while no node is there', async () => {
    stage.bot.app.preferences.set({ guildId: stage.guildId }, { voice: 'far-away' })
    const panel = await open('Mina')
    await panel.press('Mina', 'server:show')
    expect(panel.on('server:voice')).toEqual(['far-away'])
    expect(panel.message().content).toContain(en['settings.noVoices']())
  })
})

describe('a reset', () => {
  it('asks first, can be left, and puts everything back but the manager role', async () => {
    const helpers = plainRole('Helpers')
    stage.bot.app.settings.change(stage.guildId, { managerRoleId: helpers, maxLength: 50, readsBots: true })
    stage.bot.app.preferences.set({ guildId: stage.guildId }, { voice: 'far-away', pitch: 2 })
    const panel = await open('Mina')
    await panel.press('Mina', 'server:show')
    await panel.press('Mina', 'server:reset')
    expect(panel.message().content).toContain(en['settings.sure']())
    await panel.press('Mina', 'server:keep')
    expect([kept().maxLength, panel.message().content.includes(en['settings.sure']())]).toEqual([50, false])
    await panel.press('Mina', 'server:reset')
    await panel.press('Mina', 'server:resetNow')
    expect(kept()).toEqual({ ...GuildSettings.parse({}), managerRoleId: helpers })
    expect(stage.bot.app.preferences.get({ guildId: stage.guildId })).toEqual({})
    expect(panel.message().content).toContain(en['settings.wasReset']())
  })
})
