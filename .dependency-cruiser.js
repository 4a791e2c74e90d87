// The layers of bot/ARCHITECTURE.md: imports run one way, and this refuses the rest.
//   wire <- core, i18n <- audio <- registry, nodes, members, guilds, dictionary <- speech <- voice, delivery <- discord, entry <- reader <- commands <- main
const layers = [
  ['^bot/wire/'],
  ['^bot/core/', '^bot/i18n/'],
  ['^bot/audio/'],
  ['^bot/registry/', '^bot/nodes/', '^bot/members/', '^bot/guilds/', '^bot/dictionary/'],
  ['^bot/speech/'],
  ['^bot/voice/', '^bot/delivery/'],
  ['^bot/discord/', '^bot/entry/'],
  ['^bot/reader/'],
  ['^commands/'],
  ['^bot/(main|compose|deploy-commands)\\.ts$', '^bot/doctor/']
]
const test = '\\.test\\.ts$'

const oneWay = layers.flatMap((folders, level) =>
  folders.map((folder) => ({
    name: `layer-${folder.replace(/[^a-z]/g, '')}`,
    comment: `${folder} may import itself and the layers below it, nothing beside or above`,
    severity: 'error',
    from: { path: folder, pathNot: test },
    to: {
      path: ['^bot/', '^commands/'],
      pathNot: [folder, ...layers.slice(0, level).flat()]
    }
  }))
)

export default {
  forbidden: [
    ...oneWay,
    {
      name: 'wire-is-pure',
      comment: 'the contracts do no I/O and know only zod',
      severity: 'error',
      from: { path: '^bot/wire/', pathNot: test },
      to: { pathNot: ['^bot/wire/', 'node_modules/zod'] }
    },
    {
      name: 'gas-core-is-pure',
      comment: 'gas/registry.ts runs in Apps Script and in the bot: it knows only the contracts',
      severity: 'error',
      from: { path: '^gas/registry\\.ts$' },
      to: { pathNot: ['^bot/wire/'] }
    },
    {
      name: 'production-knows-no-sandbox',
      comment: 'only main starts a rehearsal',
      severity: 'error',
      from: { path: ['^bot/', '^commands/', '^gas/', '^colab/'], pathNot: ['^bot/main\\.ts$', test] },
      to: { path: '^sandbox/' }
    },
    {
      name: 'no-tests-in-production',
      severity: 'error',
      from: { pathNot: [test] },
      to: { path: test }
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } }
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['node_modules', '\\.venv', 'gas/dist', 'sandbox/page/site', 'bot/entry/status/site'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.json'] }
  }
}
