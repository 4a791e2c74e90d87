/** `npm run bench -- NAME [options]`: runs one bench; each prints a table and one JSON line. */
const benches: Readonly<Record<string, { about: string; run: () => Promise<{ run: (args: string[]) => Promise<void> }> }>> = {
  reading: { about: 'what it costs to read a message: a few hundred that people write, or write to hurt', run: () => import('./reading.ts') },
  nasty: { about: '10,000 messages that are written to hurt, through /read of the whole bot: each is counted with what became of it', run: () => import('./nasty.ts') },
  relay: { about: 'the bot’s own time between a command and the node’s request, and between the answer and the first packet', run: () => import('./relay.ts') },
  chaos: { about: 'nothing is lost, said twice, cut or out of order while nodes and the registry come and go', run: () => import('./chaos.ts') },
  choice: { about: 'how evenly members are spread, and what that costs them, against two simpler ways to choose a node, in virtual time', run: () => import('./choice.ts') },
  throughput: { about: 'how near eight nodes come to what they could do, and how evenly members wait', run: () => import('./throughput.ts') },
  'first-audio': { about: 'how soon 2,000 characters start, beside one short sentence', run: () => import('./first-audio.ts') },
  leaks: { about: 'heap and listeners after 2,000 utterances in 50 servers, with rejoins', run: () => import('./leaks.ts') },
  presence: { about: 'registry calls an hour with 1 and with 5,000 members', run: () => import('./presence.ts') },
  failover: { about: 'what each kind of failing node costs a member', run: () => import('./failover.ts') },
  fleet: { about: 'ten nodes as real processes live through ten minutes of a fast clock: the registry’s list is right at every sample', run: () => import('./fleet.ts') },
  node: { about: 'what a node adds to its engine’s own time, and the audio it makes in a second of CPU', run: () => import('./node.ts') },
  voice: { about: 'servers that hear speech at once from one core, and what one costs beside the usual ways of playing it', run: () => import('./voice.ts') },
  facade: { about: 'what the entry adds to a request, and what it carries on one core beside two other ways to forward', run: () => import('./facade.ts') },
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
