/** One way to put one address in front of several servers: it listens, and gives its port. */
export type Way = (paths: readonly { path: string; port: number }[]) => Promise<number>
