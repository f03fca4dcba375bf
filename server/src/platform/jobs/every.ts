/** Skips rounds while the work is still running. `close` resolves when it has finished. */
export function every(
  milliseconds: number,
  work: () => Promise<unknown>,
  report: (error: unknown) => void,
): { close(): Promise<void> } {
  let working: Promise<unknown> | undefined
  const timer = setInterval(() => {
    working ??= work()
      .catch(report)
      .finally(() => (working = undefined))
  }, milliseconds)
  return {
    async close() {
      clearInterval(timer)
      await working
    },
  }
}
