import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['bot/**/*.test.ts', 'commands/**/*.test.ts', 'gas/**/*.test.ts', 'colab/**/*.test.ts', 'sandbox/**/*.test.ts', 'bench/**/*.test.ts'],
    globalSetup: ['./sandbox/temporary-folder.ts'],
    // Real processes and sockets: a generous limit, so that a loaded machine is not a failed test.
    testTimeout: 60_000,
    hookTimeout: 180_000,
    // Most of a whole-system test's time is speech in real time, not work.
    maxWorkers: 4,
    expect: { poll: { timeout: 20_000 } }
  }
})
