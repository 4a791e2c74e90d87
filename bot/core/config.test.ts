import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

describe('the settings', () => {
  it('have defaults for all but the token', () => {
    const read = readConfig({})
    expect(read.ok && read.config).toEqual({
      ADMIN_USER_IDS: [],
      NODE_HOSTS: ['.trycloudflare.com', '.ngrok-free.app', '.ngrok-free.dev', '.ngrok.app', '.ngrok.io'],
      DATA_DIR: './data',
      HTTP_HOST: '127.0.0.1',
      HTTP_PORT: 8788,
      LOG_LEVEL: 'info'
    })
  })

  it('take an empty value for none', () => {
    const read = readConfig({ DISCORD_TOKEN: ' ', GAS_URL: '' })
    expect(read.ok && [read.config.DISCORD_TOKEN, read.config.GAS_URL]).toEqual([undefined, undefined])
  })

  it('name every fault at once, and no value', () => {
    const read = readConfig({ GAS_URL: 'script.example', HTTP_PORT: 'http', LOG_LEVEL: 'loud', ADMIN_USER_IDS: 'mina', NODE_HOSTS: 'https://a' })
    if (read.ok) throw new Error('must be refused')
    expect(read.faults.map((fault) => fault.split(':')[0]).sort()).toEqual(['ADMIN_USER_IDS', 'GAS_URL', 'HTTP_PORT', 'LOG_LEVEL', 'NODE_HOSTS'])
    expect(read.faults.join()).not.toMatch(/script\.example|loud|mina/)
  })

  it('want a key for a registry that others can reach', () => {
    const faults = (env: Record<string, string>) => {
      const read = readConfig(env)
      return read.ok ? [] : read.faults.map((fault) => fault.split(':')[0])
    }
    expect(faults({ HTTP_HOST: '0.0.0.0' })).toEqual(['REGISTRY_KEY'])
    expect(faults({ ENTRY_URL: 'https://voice.example.org' })).toEqual(['REGISTRY_KEY'])
    expect(faults({ ENTRY_URL: 'http://[::1]:8788' })).toEqual([])
    expect(faults({ HTTP_HOST: '0.0.0.0', REGISTRY_KEY: 'k' })).toEqual([])
    expect(faults({ HTTP_HOST: '0.0.0.0', GAS_URL: 'https://script.google.com/macros/s/x/exec' })).toEqual([])
  })

  it('warn of names that are nearly ours', () => {
    const read = readConfig({ DISCORD_TOKN: 'x', NODE_HOST: 'y', PORT: '1', HOME: '/' })
    expect(read.ok && read.warnings).toEqual(['DISCORD_TOKN is not a setting; did you mean DISCORD_TOKEN?', 'NODE_HOST is not a setting; did you mean NODE_HOSTS?'])
  })

  it('take an address of the entry without a path, and leave its slash off', () => {
    const read = (ENTRY_URL: string) => {
      const result = readConfig({ ENTRY_URL, REGISTRY_KEY: 'k' })
      return result.ok ? result.config.ENTRY_URL : result.faults
    }
    expect([read('https://voice.example.org/'), read('http://127.0.0.1:8788'), read('')]).toEqual(['https://voice.example.org', 'http://127.0.0.1:8788', undefined])
    for (const bad of ['voice.example.org', 'ftp://voice.example.org', 'https://voice.example.org/voxpool', 'https://voice.example.org/?x', 'https://me@voice.example.org']) {
      expect(read(bad)).toEqual([expect.stringMatching(/^ENTRY_URL: expected an address/)])
    }
  })

  it('split lists', () => {
    const read = readConfig({ ADMIN_USER_IDS: '100000000000000001, 100000000000000002,', NODE_HOSTS: '127.0.0.1,.example.org' })
    expect(read.ok && [read.config.ADMIN_USER_IDS, read.config.NODE_HOSTS]).toEqual([['100000000000000001', '100000000000000002'], ['127.0.0.1', '.example.org']])
  })
})
