import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'server/src/**/*.test.ts',
      'client/src/**/*.test.ts',
      'bench/**/*.test.ts',
      'tools/**/*.test.{ts,js}',
      'e2e/**/*.test.ts',
    ],
    // A process for each file: tests start servers and databases, and some of them kill what they started.
    pool: 'forks',
    // The slowest file, which kills the server twenty times, leaves the other workers the rest.
    maxWorkers: Math.max(2, availableParallelism()),
    globalSetup: 'server/src/testing/global-setup.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default', 'json'],
    outputFile: { json: 'coverage/test-results.json' },
  },
})
