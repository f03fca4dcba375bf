/* A user who sends a request every few milliseconds between the parent process's first and second message. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createRequester } from '../parts/asking.js'
import { serveParent } from '../parts/child.js'

/** @typedef {{ url: string, authorization: string, requests: readonly import('../worst/requests.js').Request[] }} Start */
/** @typedef {{ slowest: number, what: string }} Waited the slowest request, in milliseconds */

const REQUEST_PAUSE_MILLISECONDS = 10

/** @type {{ over: AbortController, waited: Promise<Waited> } | undefined} */
let running

serveParent(async (/** @type {Partial<Start>} */ { url = '', authorization = '', requests = [] }) => {
  if (running !== undefined) {
    const { over, waited } = running
    running = undefined
    over.abort()
    return waited
  }
  const over = new AbortController()
  running = { over, waited: findSlowestRequest(over.signal, { url, authorization, requests }) }
  return {}
})

/** @param {AbortSignal} over @param {Start} start @returns {Promise<Waited>} */
async function findSlowestRequest(over, { url, authorization, requests }) {
  const { ask, close } = createRequester(url, { authorization })
  let worst = { slowest: 0, what: '' }
  for (let index = 0; !over.aborted; index += 1) {
    const asked = requests[index % requests.length]
    if (asked === undefined) break
    const since = performance.now()
    await ask(asked)
    const slowest = performance.now() - since
    if (slowest > worst.slowest) worst = { slowest, what: asked.what }
    await sleep(REQUEST_PAUSE_MILLISECONDS)
  }
  close()
  return worst
}
