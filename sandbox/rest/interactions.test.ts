import { once } from 'node:events'
import { ActionRowBuilder, AttachmentBuilder, ButtonBuilder, ButtonStyle, MessageFlags, ModalBuilder, SlashCommandBuilder, TextInputBuilder, TextInputStyle, LabelBuilder } from 'discord.js'
import type { Interaction, InteractionDeferReplyOptions } from 'discord.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { manualClock } from '../../bot/core/manual-clock.ts'
import type { ManualClock } from '../../bot/core/manual-clock.ts'
import { nextCommand, sandboxWithBot } from '../test-client.ts'
import type { SandboxWithBot } from '../test-client.ts'

const say = new SlashCommandBuilder()
  .setName('say')
  .setDescription('Speak a text')
  .addStringOption((option) => option.setName('text').setDescription('What to say').setRequired(true))
  .addStringOption((option) => option.setName('voice').setDescription('Whose voice').setAutocomplete(true))

describe('interactions', () => {
  let bot: SandboxWithBot
  let clock: ManualClock

  beforeEach(async () => {
    clock = manualClock()
    bot = await sandboxWithBot({ clock })
    await bot.client.application.commands.set([say])
  })
  afterEach(() => bot.close())

  async function slash(name = 'Haru') {
    const received = nextCommand(bot.client)
    const shown = bot.sandbox.act.slash(bot.user(name), bot.channel('general'), 'say', { text: 'hi' })
    return { shown, interaction: await received }
  }
  async function nextInteraction(): Promise<Interaction> {
    const [interaction] = (await once(bot.client, 'interactionCreate', { signal: AbortSignal.timeout(10_000) })) as [Interaction]
    return interaction
  }

  it('fail when they are not answered within 3 s, and are unknown to whoever answers later', async () => {
    const { shown, interaction } = await slash()
    await clock.advance(2_999)
    expect(shown.state).toBe('waiting')
    await clock.advance(1)
    expect(shown.state).toBe('failed')
    await expect(interaction.reply('late')).rejects.toMatchObject({ code: 10062, status: 404 })
    await expect(bot.sandbox.act.replyOf(shown.id)).rejects.toThrow('did not respond')
  })

  it('are answered only once', async () => {
    const { shown, interaction } = await slash()
    await interaction.reply('first')
    const again = await bot.api('POST', `/interactions/${shown.id}/${shown.token}/callback`, { type: 4, data: { content: 'again' } }, {})
    expect(again.status).toBe(400)
    expect(await again.json()).toMatchObject({ code: 40060 })
    expect((await bot.sandbox.act.replyOf(shown.id)).content).toBe('first')
  })

  it('can be edited and followed for 15 min; then their token is refused with 50027, and the bot stays logged in', async () => {
    const { interaction } = await slash()
    await interaction.deferReply()
    await clock.advance(15 * 60_000 - 1)
    await interaction.editReply('in time')
    await clock.advance(1)
    await expect(interaction.editReply('too late')).rejects.toMatchObject({ code: 50027, status: 401 })
    await expect(interaction.followUp('too late')).rejects.toMatchObject({ code: 50027, status: 401 })
    await expect(bot.client.users.fetch(bot.user('Haru'), { force: true })).resolves.toMatchObject({ globalName: 'Haru' })
  })

  it('have no webhook before they are answered', async () => {
    const { shown } = await slash()
    const early = await bot.api('PATCH', `/webhooks/${bot.client.application.id}/${shown.token}/messages/@original`, { content: 'x' }, {})
    expect(early.status).toBe(404)
    expect(await early.json()).toMatchObject({ code: 10015 })
  })

  it('keep who may see the reply from the deferral on; the first follow-up is that reply', async () => {
    const { shown, interaction } = await slash()
    const response = await interaction.deferReply({ flags: MessageFlags.Ephemeral, withResponse: true })
    expect(response.interaction.responseMessageEphemeral).toBe(true)
    await interaction.followUp('only for you')
    const reply = await bot.sandbox.act.replyOf(shown.id)
    expect(reply).toMatchObject({ content: 'only for you', onlyForUserId: bot.user('Haru'), editedAtMs: null })
    expect(reply.id).toBe(response.interaction.responseMessageId)
    expect(shown.messageIds).toHaveLength(1)
    await interaction.editReply('changed')
    expect(reply).toMatchObject({ content: 'changed', editedAtMs: clock.now() })
  })

  it('can lose a deferred reply, after which the one who waits is told', async () => {
    const { shown, interaction } = await slash()
    await interaction.deferReply()
    await interaction.deleteReply()
    await expect(bot.sandbox.act.replyOf(shown.id)).rejects.toThrow('deleted')
    await expect(interaction.fetchReply()).rejects.toMatchObject({ code: 10008 })
  })

  it('refuse files above the limit of the server, which may be lower than what the interaction said', async () => {
    const { interaction } = await slash()
    await interaction.deferReply()
    bot.guild.uploadLimitBytes = 1000
    const file = (sizeBytes: number) => ({ files: [new AttachmentBuilder(Buffer.alloc(sizeBytes), { name: 'a.ogg' })] })
    await expect(interaction.editReply(file(1001))).rejects.toMatchObject({ code: 40005, status: 413 })
    const reply = await interaction.editReply(file(1000))
    expect(reply.attachments.first()?.size).toBe(1000)
  })

  it('suggest what the bot answers while an option is typed', async () => {
    const received = nextInteraction()
    const choices = bot.sandbox.act.autocomplete(bot.user('Mina'), bot.channel('general'), 'say', { voice: 'ze' }, 'voice')
    const interaction = await received
    if (!interaction.isAutocomplete()) throw new Error('no autocomplete')
    expect(interaction.options.getFocused(true)).toMatchObject({ name: 'voice', value: 'ze' })
    await expect(interaction.respond(Array.from({ length: 26 }, (_, n) => ({ name: `v${n}`, value: `v${n}` })))).rejects.toMatchObject({ code: 50035 })
    interaction.responded = false
    await interaction.respond([{ name: 'Zeta', value: 'zeta' }])
    expect(await choices).toEqual([{ name: 'Zeta', value: 'zeta' }])
  })

  it('carry pressed buttons and submitted forms', async () => {
    const { shown, interaction } = await slash()
    const button = new ButtonBuilder().setCustomId('again').setLabel('Again').setStyle(ButtonStyle.Primary)
    await interaction.reply({ content: 'done', components: [new ActionRowBuilder<ButtonBuilder>().addComponents(button)] })
    const { id } = await bot.sandbox.act.replyOf(shown.id)

    const pressed = nextInteraction()
    const press = bot.sandbox.act.button(bot.user('Alex'), id, 'again')
    const onButton = await pressed
    if (!onButton.isButton()) throw new Error('no button')
    const input = new TextInputBuilder().setCustomId('text').setStyle(TextInputStyle.Short)
    const label = new LabelBuilder().setLabel('What').setTextInputComponent(input)
    await onButton.showModal(new ModalBuilder().setCustomId('form').setTitle('Say it').addLabelComponents(label))
    await bot.sandbox.act.until(() => press.modal !== undefined)

    const submitted = nextInteraction()
    bot.sandbox.act.submitForm(press.id, { text: 'once more' })
    const onForm = await submitted
    if (!onForm.isModalSubmit() || !onForm.isFromMessage()) throw new Error('no form of a message')
    expect(onForm.fields.getTextInputValue('text')).toBe('once more')
    await onForm.update({ content: 'updated', components: [] })
    expect(bot.sandbox.world.messages.get(id)).toMatchObject({ content: 'updated', components: [] })
    expect(() => bot.sandbox.act.button(bot.user('Alex'), id, 'again')).toThrow('can not be used')
  })
})

describe('voice messages', () => {
  let bot: SandboxWithBot
  beforeEach(async () => {
    bot = await sandboxWithBot()
    await bot.client.application.commands.set([say])
  })
  afterEach(() => bot.close())

  const voice = (extra: Record<string, unknown> = {}) => {
    const file = new AttachmentBuilder(Buffer.from('OggS'), { name: 'voice.ogg' }).setDuration(1.5).setWaveform('AAEC')
    return { flags: MessageFlags.IsVoiceMessage as const, files: [file], ...extra }
  }
  async function deferred(options: InteractionDeferReplyOptions = {}) {
    const received = nextCommand(bot.client)
    const shown = bot.sandbox.act.slash(bot.user('Haru'), bot.channel('general'), 'say', { text: 'hi' })
    const interaction = await received
    await interaction.deferReply(options)
    return { shown, interaction }
  }

  it('are messages with the flag, one audio file, its length and its waveform', async () => {
    const channel = bot.client.channels.cache.get(bot.channel('general'))
    if (!channel?.isSendable()) throw new Error('no text channel')
    const sent = await channel.send(voice())
    expect(sent.flags.has(MessageFlags.IsVoiceMessage)).toBe(true)
    expect(sent.attachments.first()).toMatchObject({ duration: 1.5, waveform: 'AAEC', contentType: 'audio/ogg' })
    await expect(channel.send(voice({ content: 'and text' }))).rejects.toMatchObject({ code: 50159 })
    await expect(channel.send(voice({ files: [new AttachmentBuilder(Buffer.from('x'), { name: 'x.ogg' })] }))).rejects.toMatchObject({ code: 50161 })
    await expect(channel.send(voice({ files: [] }))).rejects.toMatchObject({ code: 50160 })
    await expect(sent.edit('text')).rejects.toMatchObject({ code: 50162 })
  })

  it('need the permission in the channel', async () => {
    const general = bot.guild.channels.get(bot.channel('general'))!
    general.overwrites.push({ id: bot.client.user.id, kind: 'member', allow: 0n, deny: 1n << 46n })
    const channel = bot.client.channels.cache.get(general.id)
    if (!channel?.isSendable()) throw new Error('no text channel')
    await expect(channel.send(voice())).rejects.toMatchObject({ code: 50173, status: 403 })
  })

  it('answer a command that was deferred with the flag; an edit alone can not make one', async () => {
    const plain = await deferred()
    await plain.interaction.editReply({ files: voice().files })
    expect((await bot.sandbox.act.replyOf(plain.shown.id)).flags & MessageFlags.IsVoiceMessage).toBe(0)

    const flagged = await deferred({ flags: ['IsVoiceMessage'] } as object)
    await flagged.interaction.editReply({ files: voice().files })
    expect((await bot.sandbox.act.replyOf(flagged.shown.id)).flags).toBe(MessageFlags.IsVoiceMessage)
  })

  it('can follow a reply', async () => {
    const { shown, interaction } = await deferred()
    await interaction.editReply('here it comes')
    const message = await interaction.followUp(voice())
    expect(bot.sandbox.world.messages.get(message.id)?.flags).toBe(MessageFlags.IsVoiceMessage)
    expect(shown.messageIds).toHaveLength(2)
  })
})
