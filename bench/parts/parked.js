/* Parks the same polls or streams at the product and at a bare server, to compare delivery. */
import { addPeople, basicAuthorization, FORM, requireFileDescriptors, registerQueues } from './crowd.js'
import { startChild } from './child.js'
import { COLLECT_ON_SIGNAL_OPTIONS } from './held.js'
import { startProduct, ownerKey, OWNER, withData } from './product.js'
import { waitUntilIdle } from './quiet.js'

/**
 * A server and its load process.
 * @typedef {object} Side @property {number} pid of the server
 * @property {() => Promise<void>} park connects all readers
 * @property {import('./child.js').Child['ask']} ask sends to the load process
 */

/**
 * Starts both servers. The product restarts after the readers have registered, so that it has not loaded their data.
 * @template T @param {number} count @param {(sides: { product: Side, bare: Side }) => Promise<T>} use
 * @param {{ env?: Record<string, string>, streams?: boolean }} [options] @returns {Promise<T>}
 */
export async function withReaders(count, use, { env = {}, streams = false } = {}) {
  requireFileDescriptors(count)
  return withData(async (data) => {
    /** @type {(() => Promise<void>)[]} */
    const stops = []
    const start = async () => {
      const product = await startProduct({ data, env, nodeOptions: COLLECT_ON_SIGNAL_OPTIONS })
      stops.push(() => product.stop())
      return product
    }
    const child = (/** @type {string} */ file, /** @type {readonly string[]} */ options = []) => {
      const started = startChild(file, options)
      stops.push(() => started.stop())
      return started
    }
    try {
      let product = await start()
      const people = await addPeople(product, count)
      await product.stop()
      product = await start()
      const sender = basicAuthorization(OWNER.email, await ownerKey(product))
      const readers = await registerQueues(product.url, people)
      const template = await recordTemplate(product.url, readers[0], sender)
      await product.stop()
      product = await start()
      const bare = child('bare/fan-out.js', COLLECT_ON_SIGNAL_OPTIONS)
      const { url } = /** @type {{ url: string }} */ (await bare.ask({ template }))
      /** @type {(pid: number, url: string) => Side} */
      const side = (pid, address) => {
        const load = child('load/polls.js')
        return {
          pid,
          ask: load.ask,
          async park() {
            await load.ask({ do: 'open', url: address, readers, sender, streams })
            await waitUntilIdle(pid)
          },
        }
      }
      return await use({ product: side(product.pid, product.url), bare: side(bare.pid, url) })
    } finally {
      for (const stop of stops.toReversed()) await stop()
    }
  })
}

/**
 * Returns the beginning, before the event's ID, of the JSON that the server sends for a message with the text CONTENT.
 * @param {string} url @param {import('../load/polls.js').Reader | undefined} reader @param {string} sender
 */
async function recordTemplate(url, reader, sender) {
  await fetch(`${url}/api/v1/messages`, {
    method: 'POST',
    headers: { authorization: sender },
    body: new URLSearchParams(`${FORM}&content=CONTENT`),
  })
  const answer = await fetch(`${url}/api/v1/events?queue_id=${reader?.queueId ?? ''}&last_event_id=-1`, {
    headers: { authorization: reader?.authorization ?? '' },
  })
  const text = await answer.text()
  const template = /"events":\[(\{.*CONTENT.*),"id":\d+\}\]/.exec(text)?.[1]
  if (template === undefined) throw new Error(`the message did not arrive: ${text}`)
  return template
}
