/* Code for measured pages. The browser receives it as text, so functions cannot use outside variables. */

/**
 * @typedef {object} PageClock
 * @property {Promise<number>} firstRows time of the first painted messages, in milliseconds since navigation
 * @property {number[]} times from each click or key press to the next paint, in milliseconds
 * @property {number} waiting number of clicks and key presses that no paint has followed yet
 * @property {() => Promise<number>} frame resolves with the time of the next frame
 * @property {string} until selector that must match in the paint; empty for any paint
 */

/** Runs before the page's scripts. */
export function watchPage() {
  /** @param {() => boolean} isThere */
  const painted = (isThere) =>
    new Promise((/** @type {(at: number) => void} */ resolve) => {
      const look = () => {
        if (!isThere()) return void requestAnimationFrame(look)
        // A message posted during a frame arrives after the frame is painted.
        const { port1, port2 } = new MessageChannel()
        port1.addEventListener('message', () => resolve(performance.now()))
        port1.start()
        port2.postMessage(undefined)
      }
      requestAnimationFrame(look)
    })
  const frame = () =>
    new Promise((/** @type {(at: number) => void} */ resolve) => {
      requestAnimationFrame(resolve)
    })
  /** @type {PageClock} */
  const clock = {
    frame,
    firstRows: painted(() => document.querySelector('[data-row]') !== null),
    times: [],
    waiting: 0,
    until: '',
  }
  for (const type of ['click', 'keydown']) {
    globalThis.addEventListener(
      type,
      ({ timeStamp }) => {
        const { until } = clock
        clock.waiting += 1
        void painted(() => until === '' || document.querySelector(until) !== null).then((at) => {
          clock.waiting -= 1
          clock.times.push(at - timeStamp)
        })
      },
      { capture: true },
    )
  }
  Object.assign(globalThis, { clock })
}
