/** What carries the registry, and so what can be done about it: the bot itself, a script at Google's with its sheet, or another program. */
export type Carrier = 'bot' | 'google' | 'other'

export const carrierOf = ({ host, embedded }: { host: string; embedded: boolean }): Carrier => (embedded ? 'bot' : isAtGoogle(host) ? 'google' : 'other')

export const isAtGoogle = (host: string): boolean => host === 'script.google.com'

export const NEXT_STEPS = {
  badRows: {
    bot: 'Bring bot and doctor to the same version, and start the nodes again: they write their rows anew.',
    google: 'Look in the sheet for rows with a value that does not fit its column.',
    other: 'Bring what carries the registry to the bot’s version, and start the nodes again: they write their rows anew.'
  },
  open: {
    bot: 'Start the bot again with the REGISTRY_KEY that the doctor has, or leave it out for the doctor as well.',
    google: 'Give it a key: in the sheet’s menu, Voxpool -> Set up; then set REGISTRY_KEY to that key.',
    other: 'Give REGISTRY_KEY to the bot that carries it, and set the same one here.'
  },
  noVersion: {
    bot: 'Start the bot again: one of another version may still run.',
    google: 'Bring the newest script, as docs/registry.md says.',
    other: 'Bring the bot that carries it to this bot’s version, unless it is another program that answers the same calls.'
  },
  old: {
    bot: 'Start the bot again, in the version of the doctor.',
    google: 'Bring the new one: npm run deploy:gas, or paste gas/dist/Code.js, then Manage deployments -> pencil -> New version.',
    other: 'Bring the bot that carries it to this bot’s version.'
  }
} as const satisfies Record<string, Record<Carrier, string>>
