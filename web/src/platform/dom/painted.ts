const waitingCallbacks: (() => void)[] = []
/** Number of messages in transit whose callbacks have already run. */
let outdatedMessages = 0
const { port1: here, port2: there } = new MessageChannel()

here.addEventListener('message', () => {
  if (outdatedMessages > 0) outdatedMessages -= 1
  else waitingCallbacks.shift()?.()
})
here.start()

/** Runs a callback after the next paint. Each callback has its own task, and they run in call order. */
export function afterPaint(run: () => void): void {
  waitingCallbacks.push(run)
  const runNext = (): void => there.postMessage(undefined)
  if (document.hidden) runNext()
  else requestAnimationFrame(runNext)
}

export async function runWaitingCallbacks(): Promise<void> {
  while (waitingCallbacks.length > 0) {
    outdatedMessages += 1
    waitingCallbacks.shift()?.()
    await Promise.resolve()
  }
}
