/*
 * `npm test`: every promise at least once. `vitest.sweeps.config.ts` adds every combination, long histories, and
 * other servers. A file's name says where it runs:
 *   name.test.ts            npm test
 *   name.generated.test.ts  both; `effort()` scales how much it generates
 *   name.sweep.test.ts      the sweeps
 */
import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig, type ViteUserConfig } from 'vitest/config'
import { CpuBudget } from './server/src/testing/run/cpu-budget.ts'
import { HeavyFirst } from './server/src/testing/run/heavy-first.ts'
import { temporaryFolder } from './server/src/testing/run/temporary-folder.ts'

// Workers and their child processes inherit these variables.
const temporary = temporaryFolder()
if (temporary !== undefined) process.env['TMPDIR'] = temporary

const FOLDERS = ['server/src', 'client', 'bench', 'tools', 'e2e', 'web']

interface Suite {
  readonly folders?: readonly string[]
  /** Ends of file names, such as `.test.ts`. */
  readonly include: readonly string[]
  readonly exclude?: readonly string[]
  /** Default of PARLEY_TEST_EFFORT. */
  readonly effort: number
  readonly cpuSecondsPerFile: number
  /** Name of the results in `coverage/`. */
  readonly name: string
}

export function suite({
  folders = FOLDERS,
  include,
  exclude = [],
  effort,
  cpuSecondsPerFile,
  name,
}: Suite): ViteUserConfig {
  return defineConfig({
    test: {
      include: folders.flatMap((folder) => include.map((end) => `${folder}/**/*${end}`)),
      exclude: [...configDefaults.exclude, ...exclude],
      env: {
        PARLEY_TEST_EFFORT: process.env['PARLEY_TEST_EFFORT'] ?? String(effort),
        PARLEY_TEST_SUITE: name,
      },
      // Processes, not threads, because tests start servers and databases. Files share a process: state that a file
      // leaves behind would also remain for users, and loading the server again for each file took half the time.
      // Transformed modules stay in node_modules/.vite, so that a second run starts in a third of the time.
      experimental: { fsModuleCache: true },
      pool: 'forks',
      isolate: false,
      // Like `npm start`, but with more memory, which halves the time spent on garbage collection.
      execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
      // A file uses half a core, because it waits for servers that start, browsers that paint, and commits.
      maxWorkers: Math.min(4, Math.ceil(1.5 * availableParallelism())),
      sequence: { sequencer: HeavyFirst },
      globalSetup: ['server/src/testing/global-setup.ts', 'web/testing/setup.ts'],
      setupFiles: ['server/src/testing/run/each-file.ts', 'server/src/testing/seed.ts'],
      // Ends tests that hang, but lets tests wait for a condition on a busy machine.
      testTimeout: 90_000,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 30_000 } },
      // Locally, a flaky test fails. CI retries it once and reports it, so that flakiness does not block merging.
      retry: process.env['CI'] === undefined ? 0 : 1,
      reporters: ['default', 'json', new CpuBudget({ secondsPerFile: cpuSecondsPerFile })],
      outputFile: { json: `coverage/${name}-results.json` },
    },
  })
}

export default suite({
  include: ['.test.ts', '.test.js'],
  exclude: ['**/*.sweep.test.ts'],
  effort: 0.2,
  cpuSecondsPerFile: 20,
  name: 'test',
})
