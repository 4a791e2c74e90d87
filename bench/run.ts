/** `npm run bench -- NAME [options]`: runs one bench; each prints a table and one JSON line. */
const benches: Readonly<Record<string, { about: string; run: () => Promise<{ run: (args: string[]) => Promise<void> }> }>> = {
  relay: { about: 'the bot’s own time between a command and the node’s request, and between the answer and the first packet', run: () => import('./relay.ts') },
  fleet: { about: 'ten nodes as real processes live through ten minutes of a fast clock: the registry’s list is right at every sample', run: () => import('./fleet.ts') },
  node: { about: 'what a node adds to its engine’s own time, and the audio it makes in a second of CPU', run: () => import('./node.ts') },
  registry: { about: 'what each call asks of Apps Script, at 10 to 1,000 nodes and up to 10,000 presences', run: () => import('./registry.ts') }
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
