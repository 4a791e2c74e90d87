import { once } from 'node:events'
import { Client, GatewayIntentBits } from 'discord.js'
import type { ChatInputCommandInteraction, ClientOptions, Interaction } from 'discord.js'
import { channelNamed, guildNamed, userNamed } from './find.ts'
import { startSandbox } from './start.ts'
import type { Sandbox, SandboxOptions } from './start.ts'

/** The real discord.js, logged in to a sandbox and ready. Its owner destroys it. */
export async function loggedIn(sandbox: Pick<Sandbox, 'apiUrl' | 'token'>, options: Partial<ClientOptions> = {}): Promise<Client<true>> {
  const client = new Client({
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildVoiceStates, GatewayIntentBits.GuildMessages, GatewayIntentBits.MessageContent],
    ...options,
    rest: { api: sandbox.apiUrl, ...options.rest }
  })
  const ready = once(client, 'clientReady')
  await client.login(sandbox.token)
  await ready
  return client as Client<true>
}

/** For tests: a sandbox with a bot in it, and the ids of its default server by their names. */
export async function sandboxWithBot(options: SandboxOptions = {}, clientOptions: Partial<ClientOptions> = {}) {
  const sandbox = await startSandbox(options)
  const client = await loggedIn(sandbox, clientOptions)
  const guild = guildNamed(sandbox.world, 'Voxpool Sandbox')
  return {
    sandbox,
    client,
    guild,
    user: (name: string) => userNamed(sandbox.world, name).id,
    channel: (name: string) => channelNamed(guild, name).id,
    /** A call as a bot's own code would make it without a library. */
    api: (method: string, path: string, body?: unknown, headers: Record<string, string> = { authorization: `Bot ${sandbox.token}` }) =>
      fetch(`${sandbox.apiUrl}/v10${path}`, {
        method,
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) })
      }),
    async close() {
      await client.destroy()
      await sandbox.close()
    }
  }
}
export type SandboxWithBot = Awaited<ReturnType<typeof sandboxWithBot>>

/** The next interaction that the bot is told of, when it is a slash command. */
export async function nextCommand(client: Client): Promise<ChatInputCommandInteraction<'cached'>> {
  const [interaction] = (await once(client, 'interactionCreate', { signal: AbortSignal.timeout(10_000) })) as [Interaction]
  if (!interaction.isChatInputCommand() || !interaction.inCachedGuild()) throw new Error('not a command of a known guild')
  return interaction
}
