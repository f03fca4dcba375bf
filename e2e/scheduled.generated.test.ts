/*
 * Each scheduled message is sent exactly once even if the server is killed while sending.
 *
 * CRASH_SEED repeats a run's random choices.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { askForSoon } from '../server/src/testing/age.ts'
import { effort } from '../server/src/testing/effort.ts'
import { Random } from '../server/src/testing/random.ts'
import type { TestUser } from '../server/src/testing/user.ts'
import { logIn } from './crash/log-in.ts'
import { retryUntilSuccess, type RetryContext } from './crash/requests.ts'
import { ServerProcess } from './crash/server-process.ts'
import { readableMessages } from './crash/verdict.ts'

const SEED = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000)
const KILLS = effort(5)
const MESSAGES_PER_SECOND = 20
const FAR_FUTURE_SECONDS = 4_000_000_000
/** Enough time for a killed server to restart and to poll for due messages. */
const SECONDS_BETWEEN_KILLS = 2
/** Time from the start of a second within which the messages due then are sent. */
const SENDING_MILLISECONDS = 120
const PATIENCE_MILLISECONDS = 30_000

it(
  'sends each scheduled message once no matter when the server is killed',
  async () => {
    process.stdout.write(`scheduled messages: seed ${SEED}\n`)
    const random = new Random(SEED)
    const server = await ServerProcess.start()
    try {
      await run(server, { random, over: new AbortController().signal })
    } finally {
      await server.close()
    }
    expect(server.accidents).toEqual([])
  },
  4_000 * SECONDS_BETWEEN_KILLS * KILLS + 2 * PATIENCE_MILLISECONDS,
)

async function run(server: ServerProcess, patience: RetryContext): Promise<void> {
  const owner = await subscribedOwner(server.url, patience)
  const { begin, texts } = await scheduleAll(owner)
  for (let kill = 0; kill < KILLS; kill += 1) {
    const second = begin + kill * SECONDS_BETWEEN_KILLS
    await sleep(Math.max(0, second * 1_000 + patience.random.between(0, SENDING_MILLISECONDS) - Date.now()))
    await server.killAndRestart()
  }
  const deadline = Date.now() + PATIENCE_MILLISECONDS
  const listScheduled = async (): Promise<unknown[]> =>
    (await retryUntilSuccess(owner, 'GET', '/scheduled_messages', {}, patience)).scheduled_messages
  while ((await listScheduled()).length > 0 && Date.now() < deadline) await sleep(100)
  expect(await listScheduled()).toEqual([])
  const sent = [...(await readableMessages(owner)).values()].filter((text) => texts.includes(text))
  expect(sent.toSorted()).toEqual(texts.toSorted())
  process.stdout.write(`scheduled messages: ${KILLS} kills, ${texts.length} scheduled, ${sent.length} sent\n`)
}

async function subscribedOwner(url: string, patience: RetryContext): Promise<TestUser> {
  const owner = await logIn(url, patience)
  await owner.subscribe(['plans'])
  return owner
}

/** Schedules unique messages for every second until the last kill, to a channel and to the user. */
async function scheduleAll(owner: TestUser): Promise<{ begin: number; texts: string[] }> {
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'plans' })
  const seconds = 1 + (KILLS - 1) * SECONDS_BETWEEN_KILLS
  const texts = Array.from({ length: seconds * MESSAGES_PER_SECOND }, (_, index) => `Number ${index}`)
  const started = Date.now()
  const ids = await Promise.all(
    texts.map(async (content, index) => {
      const place =
        index % 2 === 0 ? { type: 'channel', to: stream_id, topic: 'x' } : { type: 'direct', to: [owner.id] }
      const parameters = { ...place, content, scheduled_delivery_timestamp: FAR_FUTURE_SECONDS }
      return (await owner.call('POST', '/scheduled_messages', parameters))['scheduled_message_id']
    }),
  )
  // Setting all times takes about as long as the preceding requests, or longer if the machine gets busier.
  const begin = Math.ceil((Date.now() + 3 * (Date.now() - started)) / 1_000) + 3
  await Promise.all(
    ids.map(async (id, index) => {
      const second = begin + Math.floor(index / MESSAGES_PER_SECOND)
      const { answer } = await askForSoon(async (soon) =>
        owner.try('PATCH', `/scheduled_messages/${id}`, {
          scheduled_delivery_timestamp: Math.max(second, soon),
        }),
      )
      expect(answer.body).toMatchObject({ result: 'success' })
    }),
  )
  return { begin, texts }
}
