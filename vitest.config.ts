import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'server/src/**/*.test.ts',
      'client/**/*.test.ts',
      'bench/**/*.test.ts',
      'tools/**/*.test.{ts,js}',
      'e2e/**/*.test.ts',
      'web/**/*.test.ts',
    ],
    // Processes, not threads: tests start servers and databases. What a file leaves behind in its process is what it
    // leaves behind for users too, and loading the server anew for each file took half the time.
    pool: 'forks',
    isolate: false,
    // A file uses half a core: it waits for servers that start, browsers that paint and clocks that come round. Three
    // took up to 42 of the 57 connections that the database shared by them gives.
    maxWorkers: Math.min(4, Math.ceil(1.5 * availableParallelism())),
    globalSetup: ['server/src/testing/global-setup.ts', 'web/testing/setup.ts'],
    setupFiles: 'server/src/testing/seed.ts',
    // What hangs is found; what waits on a condition may wait where the machine has much else to do.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    // Here a test that fails by chance fails. CI tries it once more and names it, so that chance keeps nothing from landing.
    retry: process.env['CI'] === undefined ? 0 : 1,
    reporters: ['default', 'json'],
    outputFile: { json: 'coverage/test-results.json' },
  },
})
