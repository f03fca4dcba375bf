const waiting: (() => void)[] = []
const { port1: here, port2: there } = new MessageChannel()

here.addEventListener('message', () => waiting.shift()?.())
here.start()

/** Runs something when what was changed last has been painted, each in a task of its own, in the order of the calls. */
export function afterPaint(run: () => void): void {
  waiting.push(run)
  const runNext = (): void => there.postMessage(undefined)
  // A hidden page is not painted.
  if (document.hidden) runNext()
  else requestAnimationFrame(runNext)
}
