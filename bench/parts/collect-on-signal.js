/*
 * Loaded into servers whose memory is measured: what is left when V8 has given back what a full collection freed is what
 * they hold.
 */
import { writeHeapSnapshot } from 'node:v8'

process.on('SIGUSR2', () => {
  // Twice: what finalizers let go of goes with the second.
  globalThis.gc?.()
  globalThis.gc?.()
  const file = process.env['PARLEY_BENCH_HEAP']
  if (file !== undefined) writeHeapSnapshot(file)
})
