import { once } from 'node:events'
import {
  ActionRowBuilder, ChannelSelectMenuBuilder, ChannelType, LabelBuilder, MentionableSelectMenuBuilder, ModalBuilder, RoleSelectMenuBuilder,
  StringSelectMenuBuilder, TextInputBuilder, TextInputStyle, UserSelectMenuBuilder
} from 'discord.js'
import type { Interaction, MessageActionRowComponentBuilder } from 'discord.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sandboxWithBot } from '../test-client.ts'
import type { SandboxWithBot } from '../test-client.ts'

let bot: SandboxWithBot
beforeEach(async () => {
  bot = await sandboxWithBot()
})
afterEach(() => bot.close())

async function next(): Promise<Interaction> {
  const [interaction] = (await once(bot.client, 'interactionCreate', { signal: AbortSignal.timeout(10_000) })) as [Interaction]
  return interaction
}
async function send(...rows: MessageActionRowComponentBuilder[][]): Promise<string> {
  const channel = bot.client.channels.cache.get(bot.channel('general'))
  if (!channel?.isSendable()) throw new Error('no text channel')
  const components = rows.map((parts) => new ActionRowBuilder<MessageActionRowComponentBuilder>().addComponents(parts))
  return (await channel.send({ content: 'Choose.', components })).id
}
const select = (messageId: string, ...values: string[]) => bot.sandbox.act.select(bot.user('Alex'), messageId, 'pick', values)
const role = (name: string) => [...bot.guild.roles.values()].find((each) => each.name === name)!.id

async function chosen(menu: MessageActionRowComponentBuilder, ...values: string[]) {
  const messageId = await send([menu])
  const received = next()
  select(messageId, ...values)
  const interaction = await received
  if (!interaction.isAnySelectMenu()) throw new Error('no menu')
  await interaction.deferUpdate()
  return interaction
}

describe('a menu', () => {
  const texts = () => new StringSelectMenuBuilder().setCustomId('pick').addOptions(['a', 'b', 'c'].map((letter) => ({ label: letter, value: letter })))

  it('of texts is one value or several, as many as the bot allows', async () => {
    expect((await chosen(texts().setMinValues(0).setMaxValues(3), 'a', 'c')).values).toEqual(['a', 'c'])
    const one = await send([texts()])
    for (const values of [[], ['a', 'b'], ['d']]) expect(() => select(one, ...values)).toThrow(/Choose 1|not one of the options/)
    const none = await send([texts().setMinValues(0).setMaxValues(2)])
    expect(() => select(none, 'a', 'a')).toThrow('Choose 0 to 2')
    expect(() => select(none, 'a', 'b', 'c')).toThrow('Choose 0 to 2')
  })

  it('of members, roles, both, or channels brings along what was chosen', async () => {
    const users = await chosen(new UserSelectMenuBuilder().setCustomId('pick').setMaxValues(2), bot.user('Mina'), bot.user('Haru'))
    expect(users.isUserSelectMenu() && users.users.map(({ displayName }) => displayName)).toEqual(['Mina', 'Haru'])
    const roles = await chosen(new RoleSelectMenuBuilder().setCustomId('pick'), role('Admins'))
    expect(roles.isRoleSelectMenu() && roles.roles.map(({ name }) => name)).toEqual(['Admins'])
    const both = await chosen(new MentionableSelectMenuBuilder().setCustomId('pick').setMaxValues(2), role('Admins'), bot.user('Mina'))
    expect(both.isMentionableSelectMenu() && [both.roles.size, both.users.size, both.members.size]).toEqual([1, 1, 1])
    const channels = await chosen(new ChannelSelectMenuBuilder().setCustomId('pick').setChannelTypes(ChannelType.GuildVoice), bot.channel('Lounge'))
    expect(channels.isChannelSelectMenu() && channels.channels.first()?.id).toBe(bot.channel('Lounge'))
    const nothing = await chosen(new RoleSelectMenuBuilder().setCustomId('pick').setMinValues(0).setDefaultRoles(role('Admins')))
    expect(nothing.values).toEqual([])
  })

  it('has nothing of another kind, and nothing that the server has not', async () => {
    const voice = await send([new ChannelSelectMenuBuilder().setCustomId('pick').setChannelTypes(ChannelType.GuildVoice)])
    expect(() => select(voice, bot.channel('general'))).toThrow('not one of the options')
    const roles = await send([new RoleSelectMenuBuilder().setCustomId('pick')])
    for (const id of [bot.user('Mina'), bot.guild.id, '1']) expect(() => select(roles, id)).toThrow('not one of the options')
  })

  it('that is shut can’t be used, and no button pressed as a menu', async () => {
    const shut = await send([texts().setDisabled(true)])
    expect(() => select(shut, 'a')).toThrow('can not be used')
    const open = await send([texts()])
    expect(() => bot.sandbox.act.button(bot.user('Alex'), open, 'pick')).toThrow('not a button')
  })

  it.each([
    ['with the same value twice', () => [[texts().addOptions({ label: 'again', value: 'a' })]]],
    ['with more defaults than may be chosen', () => [[texts().setOptions({ label: 'a', value: 'a', default: true }, { label: 'b', value: 'b', default: true })]]],
    ['with defaults of another kind', () => [[new RoleSelectMenuBuilder({ default_values: [{ id: '1', type: 'user' }] } as object).setCustomId('pick')]]],
    ['whose id stands twice', () => [[texts()], [texts()]]],
    ['in a sixth row', () => Array.from({ length: 6 }, (_, at) => [texts().setCustomId(`pick${at}`)])]
  ])('is refused as Discord refuses it: %s', async (_, rows) => {
    await expect(send(...rows())).rejects.toMatchObject({ code: 50035 })
  })
})

describe('a form', () => {
  async function asked() {
    const messageId = await send([new StringSelectMenuBuilder().setCustomId('pick').addOptions({ label: 'a', value: 'a' })])
    const received = next()
    const shown = select(messageId, 'a')
    const interaction = await received
    if (!interaction.isStringSelectMenu()) throw new Error('no menu')
    const text = (id: string) => new TextInputBuilder().setCustomId(id).setStyle(TextInputStyle.Short)
    const roles = new RoleSelectMenuBuilder().setCustomId('role').setRequired(false)
    const modal = new ModalBuilder().setCustomId('form').setTitle('A form')
    modal.addLabelComponents(new LabelBuilder().setLabel('Name').setTextInputComponent(text('name').setMinLength(2).setMaxLength(5)))
    modal.addLabelComponents(new LabelBuilder().setLabel('Stays').setTextInputComponent(text('stays').setValue('as it came').setRequired(false)))
    modal.addLabelComponents(new LabelBuilder().setLabel('Role').setRoleSelectMenuComponent(roles))
    await interaction.showModal(modal)
    await bot.sandbox.act.until(() => shown.modal !== undefined)
    return shown
  }

  it('is sent with what was written and chosen; what was not touched stays', async () => {
    const { id } = await asked()
    const received = next()
    bot.sandbox.act.submitForm(id, { name: 'Mina', role: [role('Admins')] })
    const sent = await received
    if (!sent.isModalSubmit()) throw new Error('no form')
    expect([sent.fields.getTextInputValue('name'), sent.fields.getTextInputValue('stays'), sent.fields.getSelectedRoles('role')?.first()?.name]).toEqual(['Mina', 'as it came', 'Admins'])
    await sent.reply('thanks')
  })

  it.each([
    [{}, 'required'],
    [{ name: '' }, 'required'],
    [{ name: 'x' }, 'Enter 2 to 5'],
    [{ name: 'longer' }, 'Enter 2 to 5'],
    [{ name: 'Mina', role: ['1'] }, 'not one of the options']
  ])('is not sent with %j', async (answers, why) => {
    const { id } = await asked()
    expect(() => bot.sandbox.act.submitForm(id, answers as Record<string, string | string[]>)).toThrow(why)
  })
})
