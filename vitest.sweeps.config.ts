import { suite } from './vitest.config.ts'

export default suite({
  include: ['.sweep.test.ts', '.generated.test.ts'],
  effort: 1,
  cpuSecondsPerFile: 90,
  name: 'sweep',
})
