/*
 * A client streams events while the server is repeatedly killed and stopped and people keep sending. Acknowledged
 * messages arrive once and in order, from one queue.
 */
import { expect, it } from 'vitest'
import { follow, isEvent } from '../client/src/index.ts'
import { messages } from '../server/src/contract.ts'
import { effort } from '../server/src/testing/effort.ts'
import { Random } from '../server/src/testing/random.ts'
import { logIn } from './crash/log-in.ts'
import { retryUntilSuccess } from './crash/requests.ts'
import { ServerProcess } from './crash/server-process.ts'

const TIMEOUT_MILLISECONDS = 240_000
/** Each disturbance consists of a kill and a stop. */
const ROUNDS = effort(3)
const MESSAGES_BETWEEN_DISTURBANCES = 8

it(
  'resumes an event stream without loss after the server is killed or stopped',
  async () => {
    const server = await ServerProcess.start({ PARLEY_LOG_LEVEL: 'silent' })
    const over = new AbortController()
    const patience = { random: new Random(1), over: over.signal }
    try {
      const owner = await logIn(server.url, patience)
      const seen: number[] = []
      let registered = 0
      const following = follow(
        { url: server.url, email: owner.email, apiKey: owner.apiKey },
        { event_types: ['message'] },
        {
          onState: () => (registered += 1),
          onEvent: (event) => {
            if (isEvent(event, messages.messageSent)) seen.push(event.message.id)
          },
        },
        over.signal,
      )
      await expect.poll(() => registered, { timeout: 30_000 }).toBe(1)
      // Local IDs of the sender's queue prevent duplicates on retries.
      const { id: queueId } = await owner.register({ event_types: ['alert_words'] })
      const sent: number[] = []
      const send = async (): Promise<void> => {
        const message = {
          type: 'direct',
          to: [owner.id],
          content: 'Hello',
          queue_id: queueId,
          local_id: String(sent.length),
        }
        sent.push((await retryUntilSuccess(owner, 'POST', '/messages', message, patience)).id)
      }
      const sendSome = async (): Promise<void> => {
        for (let count = 0; count < MESSAGES_BETWEEN_DISTURBANCES; count += 1) await send()
      }
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const end of [async () => server.killAndRestart(), async () => server.restart()]) {
          await sendSome()
          const ending = end()
          await sendSome()
          await ending
        }
      }
      await expect.poll(() => seen.at(-1), { timeout: 60_000 }).toBe(sent.at(-1))
      expect([seen, registered]).toEqual([sent, 1])
      over.abort()
      await following
    } finally {
      over.abort()
      await server.close()
    }
    expect(server.accidents).toEqual([])
  },
  TIMEOUT_MILLISECONDS,
)
