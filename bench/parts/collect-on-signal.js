/*
 * Loaded into servers whose memory is measured: what is left after a full collection is what they hold, and not what
 * they have not given back yet.
 */
import { writeHeapSnapshot } from 'node:v8'

process.on('SIGUSR2', () => {
  // Twice: what finalizers let go of goes with the second.
  globalThis.gc?.()
  globalThis.gc?.()
  const file = process.env['PARLEY_BENCH_HEAP']
  if (file !== undefined) writeHeapSnapshot(file)
})
