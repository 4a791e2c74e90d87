import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { AttachmentBuilder, MessageFlags, SlashCommandBuilder } from 'discord.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nextCommand, sandboxWithBot } from './test-client.ts'
import type { SandboxWithBot } from './test-client.ts'

const say = new SlashCommandBuilder()
  .setName('say')
  .setDescription('Speak a text')
  .addStringOption((option) => option.setName('text').setDescription('What to say').setRequired(true).setMaxLength(100))

describe('the sandbox, with the real discord.js', () => {
  let bot: SandboxWithBot
  beforeEach(async () => {
    bot = await sandboxWithBot()
  })
  afterEach(() => bot.close())

  it('logs a bot in and shows it the server', () => {
    expect(bot.client.user.username).toBe('voxpool')
    const guild = bot.client.guilds.cache.get(bot.guild.id)
    expect(guild?.channels.cache.map(({ name }) => name)).toEqual(['general', 'read-aloud', 'Lounge', 'Stage left'])
    expect(guild?.members.me?.permissions.has('Speak')).toBe(true)
  })

  it('carries a command to the bot, and its deferred reply with a file and a follow-up back', async () => {
    const { client, sandbox } = bot
    const haru = bot.user('Haru')
    await client.application.commands.set([say])
    const received = nextCommand(client)
    const shown = sandbox.act.slash(haru, bot.channel('general'), 'say', { text: 'hello' })
    const interaction = await received
    expect(interaction.options.getString('text', true)).toBe('hello')
    expect(interaction.locale).toBe('ja')
    expect(interaction.member.displayName).toBe('Haru')
    expect(interaction.attachmentSizeLimit).toBe(10 * 1024 * 1024)

    await interaction.deferReply()
    expect(shown.state).toBe('deferred')
    const reply = sandbox.act.replyOf(shown.id)
    const bytes = Buffer.from('OggS and more')
    const edited = await interaction.editReply({ content: 'done', files: [new AttachmentBuilder(bytes, { name: 'say.ogg' })] })
    expect((await reply).content).toBe('done')
    const attachment = edited.attachments.first()
    expect(attachment?.contentType).toBe('audio/ogg')
    expect(Buffer.from(await (await fetch(attachment!.url)).arrayBuffer())).toEqual(bytes)

    const second = await interaction.followUp({ content: 'and more', flags: MessageFlags.Ephemeral })
    expect(sandbox.world.messages.get(second.id)?.onlyForUserId).toBe(haru)
    await expect(second.delete()).rejects.toMatchObject({ code: 10008 })
    await interaction.deleteReply(second)
    expect(sandbox.world.messages.has(second.id)).toBe(false)
  })
})

describe('closing the sandbox', () => {
  it('leaves nothing open that would keep its process alive', async () => {
    const script = `
      const { sandboxWithBot } = await import(${JSON.stringify(new URL('test-client.ts', import.meta.url).href)})
      const bot = await sandboxWithBot()
      await bot.close()
      console.log('closed')
    `
    const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', '--input-type=module', '--eval', script], { timeout: 30_000 })
    expect(stdout).toBe('closed\n')
  })
})
