/** The names of this machine to itself, as `new URL(...).hostname` gives them. */
export const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]']
