/*
 * What runs in the page that is measured. It is given to the browser as text, so functions use nothing from outside.
 */

/**
 * @typedef {object} PageClock
 * @property {Promise<number>} firstRows when the first messages were painted, in milliseconds since the page was asked for
 * @property {number[]} times from each click or key to the paint that followed, in milliseconds
 * @property {number} waiting how many have not been followed by a paint yet
 * @property {() => Promise<number>} frame the next frame, with its time
 * @property {string} until the selector of what has to be there in that paint; empty for the next one
 */

/** Is run before any script of the page. */
export function watchPage() {
  /** @param {() => boolean} isThere */
  const painted = (isThere) =>
    new Promise((/** @type {(at: number) => void} */ resolve) => {
      const look = () => {
        if (!isThere()) return void requestAnimationFrame(look)
        // What is sent in a frame arrives after it was painted.
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
