const waiting: (() => void)[] = []
/** Number of messages in transit whose callbacks have already run. */
let outdated = 0
const { port1: here, port2: there } = new MessageChannel()

here.addEventListener('message', () => {
  if (outdated > 0) outdated -= 1
  else waiting.shift()?.()
})
here.start()

/** Runs a callback after the next paint. Each callback has its own task, and they run in call order. */
export function afterPaint(run: () => void): void {
  waiting.push(run)
  const runNext = (): void => there.postMessage(undefined)
  if (document.hidden) runNext()
  else requestAnimationFrame(runNext)
}

export async function finishBeforePaint(): Promise<void> {
  while (waiting.length > 0) {
    outdated += 1
    waiting.shift()?.()
    await Promise.resolve()
  }
}
