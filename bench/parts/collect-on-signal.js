/* Loaded into servers for memory measurements: collects garbage on a signal. */
import { writeHeapSnapshot } from 'node:v8'

process.on('SIGUSR2', () => {
  // Twice, because the second collection frees memory that finalizers released.
  globalThis.gc?.()
  globalThis.gc?.()
  const file = process.env['PARLEY_BENCH_HEAP']
  if (file !== undefined) writeHeapSnapshot(file)
})
