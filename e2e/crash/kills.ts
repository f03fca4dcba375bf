import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { Random } from '../../server/src/testing/random.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { killAtRandomTimes, type KillCounts } from './disturbance.ts'
import { logIn } from './log-in.ts'
import { Reader, type ReaderOptions } from './reader.ts'
import type { RetryContext } from './requests.ts'
import { sendMessagesUntil, type Destination, type SentMessage } from './sender.ts'
import { OWNER, ServerProcess } from './server-process.ts'
import {
  duplicatedContents,
  expectedMessageIds,
  readableMessages,
  fetchUnreadIds,
  findLostMessages,
  expectedUnreadIds,
} from './verdict.ts'

/** CRASH_SEED repeats a run's random choices. */
const RANDOM_SEED = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000)
/** Maximum time for readers to receive the last message. */
const DELIVERY_TIMEOUT_MILLISECONDS = 30_000
const PEOPLE_COUNT = 6

interface CrashTestSize {
  readonly kills: KillCounts
  readonly senders: number
}

/** Kills the server and its database under load; expects that nothing is lost, duplicated, or out of order. */
export async function expectNothingLost(extent: CrashTestSize): Promise<void> {
  process.stdout.write(`crash test: seed ${RANDOM_SEED}\n`)
  const server = await ServerProcess.start()
  try {
    await runCrashTest(server, new Random(RANDOM_SEED), extent)
  } finally {
    await server.close()
  }
  expect(server.accidents).toEqual([])
}

async function runCrashTest(server: ServerProcess, random: Random, { kills, senders }: CrashTestSize): Promise<void> {
  const ending = new AbortController()
  const patience = (): RetryContext => ({ random: random.fork(), over: ending.signal })
  const people = await inviteUsers(server.url, patience())
  const places = await createDestinations(people, random)
  const planned = kills.server + kills.postmaster + kills.databaseProcess
  let killed = 0
  const isAway = (): boolean => killed > 0.2 * planned && killed < 0.6 * planned
  const readers = makeReaders(people, isAway, patience)
  await Promise.all(readers.map((reader) => reader.register()))

  const sent: SentMessage[] = []
  const [silence, leave] = [new AbortController(), new AbortController()]
  const reading = Promise.all(readers.map((reader) => reader.readUntil(leave.signal)))
  const sending = Promise.all(
    Array.from({ length: senders }, (_, index) => {
      const user = itemAt(people, index % PEOPLE_COUNT)
      const sender = { name: `Sender ${index}`, user, places: places.filter(({ audience }) => audience.has(user.id)) }
      return sendMessagesUntil(silence.signal, sender, patience(), (message) => void sent.push(message))
    }),
  )
  const countAcknowledged = (): number => sent.length
  const disturbing = killAtRandomTimes(server, kills, patience(), countAcknowledged, (done) => (killed = done))
  const everything = [disturbing, sending, reading]
  try {
    // The first error ends the test.
    await Promise.race([disturbing, Promise.all(everything)])
    silence.abort()
    await sending
    await waitForDelivery(readers, sent)
    leave.abort()
    await reading
  } finally {
    ending.abort()
    await Promise.allSettled(everything)
  }
  await checkResults(people, readers, sent, kills)
}

/** Resolves when every reader has received everything or has failed. */
async function waitForDelivery(readers: readonly Reader[], sent: readonly SentMessage[]): Promise<void> {
  const deadline = performance.now() + DELIVERY_TIMEOUT_MILLISECONDS
  const isDone = (reader: Reader): boolean =>
    reader.problems.length > 0 || reader.received.length >= expectedMessageIds(reader, sent).length
  while (!readers.every(isDone) && performance.now() < deadline) await sleep(50)
}

async function checkResults(
  people: readonly TestUser[],
  readers: readonly Reader[],
  sent: readonly SentMessage[],
  kills: KillCounts,
): Promise<void> {
  const histories = new Map(
    await Promise.all(people.map(async (user) => [user.id, await readableMessages(user)] as const)),
  )
  const lostMessages = findLostMessages(sent, histories)
  const doubledTexts = duplicatedContents(histories)
  const gaps = readers.flatMap((reader) => {
    const ids = new Set(reader.received.map(({ messageId }) => messageId))
    return expectedMessageIds(reader, sent).filter((id) => !ids.has(id))
  })
  const repetitions = readers.reduce((sum, reader) => sum + reader.wentBack, 0)
  process.stdout.write(
    `crash test: ${kills.server} kills of the server, ${kills.postmaster} of the database, ` +
      `${kills.databaseProcess} of a database process, ` +
      `${sent.length} messages acknowledged, ${lostMessages.length} lost, ${doubledTexts.length} doubled, ` +
      `${gaps.length} gaps (${readers.length} readers, which went back ${repetitions} times)\n`,
  )
  expect(readers.flatMap(({ name, problems }) => problems.map((problem) => `${name} ${problem}`))).toEqual([])
  expect({ lost: lostMessages, doubled: doubledTexts, gaps }).toEqual({ lost: [], doubled: [], gaps: [] })
  for (const reader of readers) {
    expect(reader.received.map(({ messageId }) => messageId)).toEqual(expectedMessageIds(reader, sent))
  }
  for (const user of people) {
    // No other messages exist, because senders repeated each failed attempt until it succeeded.
    expect(histories.get(user.id)?.size).toBe(sent.filter(({ audience }) => audience.has(user.id)).length)
    expect(await fetchUnreadIds(user)).toEqual(expectedUnreadIds(user.id, sent, readers))
  }
}

/** The owner and other users, signed in. */
async function inviteUsers(url: string, patience: RetryContext): Promise<TestUser[]> {
  const owner = await logIn(url, patience)
  const people = [owner]
  for (let count = 1; count < PEOPLE_COUNT; count += 1) {
    const email = `person${count}@example.com`
    await owner.call('POST', '/users', { email, password: OWNER.password, full_name: `Person ${count}` })
    people.push(await logIn(url, patience, email))
  }
  return people
}

/** Two channels, one of them private, and direct conversations of two and three people. */
async function createDestinations(people: readonly TestUser[], random: Random): Promise<Destination[]> {
  const owner = itemAt(people, 0)
  const channel = async (name: string, members: readonly TestUser[], invite_only: boolean): Promise<Destination[]> => {
    const ids = members.map(({ id }) => id)
    await owner.subscribe([name], { principals: ids, invite_only })
    return ['one', 'two', 'three'].map((topic) => ({
      parameters: { type: 'stream', to: name, topic },
      audience: new Set(ids),
    }))
  }
  const direct = Array.from({ length: 10 }, (_, index) => {
    const ids = random
      .shuffled(people)
      .slice(0, 2 + (index % 2))
      .map(({ id }) => id)
    return { parameters: { type: 'direct', to: ids }, audience: new Set(ids) }
  })
  return [
    ...(await channel('everybody', people, false)),
    ...(await channel('few', people.slice(0, 3), true)),
    ...direct,
  ]
}

function makeReaders(people: readonly TestUser[], isAway: () => boolean, patience: () => RetryContext): Reader[] {
  const prompt = { pauseMilliseconds: [0, 0] } as const
  const slow = { pauseMilliseconds: [200, 1_500] } as const
  const habits: readonly [string, number, ReaderOptions][] = [
    ['The prompt owner', 0, prompt],
    ['The slow owner', 0, { ...slow, eventTypes: ['message', 'update_message_flags', 'stream', 'subscription'] }],
    ['Person 1, who reads', 1, { ...prompt, marksRead: 0.2 }],
    ['Person 2, who goes back', 2, { ...prompt, goesBack: 0.1 }],
    ['Person 3, who goes back slowly', 3, { ...slow, goesBack: 0.3, marksRead: 0.3 }],
    ['Person 4, who is away for a while', 4, { ...prompt, isAway }],
    ['Person 5, who never waits', 5, { pauseMilliseconds: [50, 300], asksWithoutWaiting: true }],
    ['Person 5, who is slow', 5, slow],
  ]
  return habits.map(([name, index, habit]) => new Reader(name, itemAt(people, index), habit, patience()))
}

function itemAt<Item>(items: readonly Item[], index: number): Item {
  const item = items[index]
  if (item === undefined) throw new Error(`no item ${index}`)
  return item
}
