/** `npm run bench -- NAME [options]`: runs one bench; each prints a table and one JSON line. */
const benches: Readonly<Record<string, { about: string; run: () => Promise<{ run: (args: string[]) => Promise<void> }> }>> = {
  relay: { about: 'the bot’s own time between a command and the node’s request, and between the answer and the first packet', run: () => import('./relay.ts') }
}

const [name = '', ...args] = process.argv.slice(2)
const bench = Object.hasOwn(benches, name) ? benches[name] : undefined
if (bench === undefined) {
  console.error('npm run bench -- NAME')
  for (const [each, { about }] of Object.entries(benches)) console.error(`  ${each}: ${about}`)
  process.exit(1)
}
const { run } = await bench.run()
await run(args)
process.exit()
