import { describe, expect, it } from 'vitest'
import type { DiscordGatewayAdapterLibraryMethods } from '@discordjs/voice'
import { openLine } from './gateway-line.ts'

type State = Parameters<DiscordGatewayAdapterLibraryMethods['onVoiceStateUpdate']>[0]
type Server = Parameters<DiscordGatewayAdapterLibraryMethods['onVoiceServerUpdate']>[0]

const state = (channelId: string | null) => ({ channel_id: channelId, session_id: 's', user_id: 'u' }) as State
const server: Server = { guild_id: 'g', token: 't', endpoint: 'e' }

/** A line whose gateway the test is, and a connection on it that writes down what it hears. */
function lineOf() {
  const sent: unknown[] = []
  const places: (string | null)[] = []
  let gateway: DiscordGatewayAdapterLibraryMethods | undefined
  const line = openLine({
    guildId: 'g',
    adapterCreator: (methods) => {
      gateway = methods
      return { sendPayload: (payload: unknown) => sent.push(payload) > 0, destroy: () => sent.push('destroyed') }
    },
    onPlace: (place) => places.push(place),
    onGone: () => places.push('gone')
  })
  const connect = () => {
    const heard: string[] = []
    const adapter = line.adapterCreator({
      onVoiceStateUpdate: ({ channel_id: channelId }) => heard.push(`state ${channelId}`),
      onVoiceServerUpdate: ({ endpoint }) => heard.push(`server ${endpoint}`),
      destroy: () => heard.push('destroy')
    })
    return { heard, adapter }
  }
  if (gateway === undefined) throw new Error('no gateway')
  return { line, sent, places, gateway, connect }
}

describe('a session’s line to the gateway', () => {
  it('lets each connection ask once: when to ask again is not the library’s to say', () => {
    const { connect, sent } = lineOf()
    const { adapter } = connect()
    expect([adapter.sendPayload('join'), adapter.sendPayload('join again'), adapter.sendPayload('and again')]).toEqual([true, true, true])
    expect(sent).toEqual(['join'])
  })

  it('tells the newest connection alone', () => {
    const { connect, gateway, sent } = lineOf()
    const old = connect()
    const newest = connect()
    old.adapter.sendPayload('join')
    gateway.onVoiceStateUpdate(state('1'))
    gateway.onVoiceServerUpdate(server)
    old.adapter.destroy()
    gateway.onVoiceStateUpdate(state('2'))
    expect([old.heard, newest.heard, sent]).toEqual([[], ['state 1', 'server e', 'state 2'], []])
  })

  it('keeps a server that comes before the state it belongs to', () => {
    const { connect, gateway } = lineOf()
    const { heard } = connect()
    gateway.onVoiceServerUpdate(server)
    gateway.onVoiceStateUpdate(state('1'))
    expect(heard).toEqual(['state 1', 'server e'])
  })

  it('says where the bot is, of which the connection hears nothing when that is nowhere', () => {
    const { connect, gateway, places } = lineOf()
    const { heard } = connect()
    for (const place of ['1', null, '2']) gateway.onVoiceStateUpdate(state(place))
    gateway.destroy()
    expect([heard, places]).toEqual([['state 1', 'state 2'], ['1', null, '2', 'gone']])
  })

  it('leaves by a wish of its own, and gives its place up once', () => {
    const { line, sent } = lineOf()
    line.leave()
    line.close()
    expect(sent).toEqual([{ op: 4, d: { guild_id: 'g', channel_id: null, self_deaf: true, self_mute: false } }, 'destroyed'])
  })
})
