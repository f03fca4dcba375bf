/** Does a piece of housekeeping again and again; not while it is still at it. `close` resolves when it is not. */
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
