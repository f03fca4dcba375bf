import { quantile } from '../figure.js'
import { responseTimes, withLoad } from '../parts/load.js'
import { LARGE_ORGANIZATION, ensureOrganization } from '../parts/organizations.js'
import { connectToDatabase, OWNER, ownerKey, withProduct } from '../parts/product.js'

const ROUNDS = 40
const WARM_UP_ROUNDS = 3

/** @type {import('../figure.js').Figure} */
export const rename = {
  id: 'rename',
  name: 'renaming a topic of 100,000 messages, without serializing their IDs, against one of 100',
  unit: 'ms',
  goal: { atMost: 3 },
  async measure() {
    const { data, landmarks } = await ensureOrganization(LARGE_ORGANIZATION)
    const { longTopic, shortTopic } = landmarks
    if (longTopic === null) throw new Error('no long topic exists')
    return withProduct({ data, env: { PARLEY_LOG_LEVEL: 'warn' } }, async (product) => {
      const key = await ownerKey(product)
      return withLoad(async (load) => {
        /** @param {{ newest: number }} topic @param {string} name */
        const renamed = async ({ newest }, name) => {
          const fields = {
            topic: name,
            propagate_mode: 'change_all',
            send_notification_to_old_thread: 'false',
            send_notification_to_new_thread: 'false',
          }
          const requests = [{ method: 'PATCH', path: `/messages/${newest}`, fields }]
          const [time = 0] = responseTimes(await load.ask(product.url, [{ email: OWNER.email, key, requests }]))
          return time
        }
        const [long, short, serializing] = [
          /** @type {number[]} */ ([]),
          /** @type {number[]} */ ([]),
          /** @type {number[]} */ ([]),
        ]
        const ids = Array.from({ length: longTopic.messages }, (_, index) => longTopic.newest - 20 * index)
        for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
          long.push(await renamed(longTopic, `${longTopic.name} ${round}`))
          short.push(await renamed(shortTopic, `${shortTopic.name} ${round}`))
          const started = performance.now()
          JSON.stringify(ids)
          serializing.push(performance.now() - started)
        }
        // Restores the names and deletes the recorded moves, which would slow down message reads in other figures.
        for (const topic of [longTopic, shortTopic]) await renamed(topic, topic.name)
        const database = await connectToDatabase(data)
        await database.query('delete from topic_moves')
        await database.end()
        const [whole, baseline, ofIds] = [long, short, serializing].map((times) =>
          quantile(times.slice(WARM_UP_ROUNDS), 0.5),
        )
        return {
          value: (whole ?? 0) - (ofIds ?? 0),
          baseline: baseline ?? 0,
          notes: [
            `${(whole ?? 0).toFixed(1)} ms including serializing ${longTopic.messages} IDs, which takes ${(ofIds ?? 0).toFixed(1)} ms`,
            `${shortTopic.messages} messages in the short topic`,
          ],
        }
      })
    })
  },
}
