import { vi } from 'vitest'
import { stopwatch } from '../kernel/steady-time.ts'

export interface HeldTime {
  pass(seconds: number): void
  /** Sets the clock without changing the elapsed time. */
  setClock(bySeconds: number): void
  release(): void
}

/** Stops the clock at a whole second. */
export function stopClock(): HeldTime {
  vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 1000) * 1000 })
  const from = stopwatch.now()
  let passed = 0
  const spy = vi.spyOn(stopwatch, 'now').mockImplementation(() => from + passed)
  return {
    pass(seconds) {
      passed += seconds * 1000
      vi.setSystemTime(Date.now() + seconds * 1000)
    },
    setClock(bySeconds) {
      vi.setSystemTime(Date.now() + bySeconds * 1000)
    },
    release() {
      spy.mockRestore()
      vi.useRealTimers()
    },
  }
}
