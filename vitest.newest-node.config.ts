import { suite } from './vitest.config.ts'

/** The part of `npm test` that depends most on the version of Node. */
export default suite({
  folders: ['server/src/platform', 'server/src/commands'],
  include: ['.test.ts'],
  exclude: ['**/*.sweep.test.ts', '**/*.generated.test.ts'],
  effort: 0.05,
  cpuSecondsPerFile: 60,
  name: 'newest-node',
})
