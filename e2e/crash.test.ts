/*
 * What a team relies on: a message that was acknowledged is never lost, none comes twice, and every client goes on
 * in its queue as if nothing had happened, while the server and its database are killed again and again.
 *
 * CRASH_SEED repeats a run's random choices.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { effort } from '../server/src/testing/effort.ts'
import { Random } from '../server/src/testing/random.ts'
import type { TestUser } from '../server/src/testing/user.ts'
import { disturb } from './crash/disturbance.ts'
import { logIn } from './crash/log-in.ts'
import { Reader, type Habit } from './crash/reader.ts'
import type { Patience } from './crash/requests.ts'
import { sendUntil, type Place, type Sent } from './crash/sender.ts'
import { OWNER, ServerProcess } from './crash/server-process.ts'
import { doubled, expectedBy, history, listedUnread, lost, naivelyUnread } from './crash/verdict.ts'

const SEED = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000)
const KILLS = {
  server: effort(20),
  postmaster: effort(5),
  databaseProcess: effort(5),
}
const TIMEOUT_MILLISECONDS = 300_000
/** Readers that have not heard of everything this long after the last message will not. */
const DELIVERY_MILLISECONDS = 30_000
const PEOPLE = 6
const SENDERS = 9

it(
  'loses nothing, doubles nothing and leaves no gap while server and database are killed',
  async () => {
    process.stdout.write(`crash test: seed ${SEED}\n`)
    const random = new Random(SEED)
    const server = await ServerProcess.start()
    try {
      await run(server, random)
    } finally {
      await server.close()
    }
    expect(server.accidents).toEqual([])
  },
  TIMEOUT_MILLISECONDS,
)

async function run(server: ServerProcess, random: Random): Promise<void> {
  const ending = new AbortController()
  const patience = (): Patience => ({ random: random.fork(), over: ending.signal })
  const people = await invite(server.url, patience())
  const places = await meetingPlaces(people, random)
  let kills = 0
  const isAway = (): boolean => kills > 0.3 * KILLS.server && kills < 0.8 * KILLS.server
  const readers = makeReaders(people, isAway, patience)
  await Promise.all(readers.map((reader) => reader.register()))

  const sent: Sent[] = []
  const [silence, leave] = [new AbortController(), new AbortController()]
  const reading = Promise.all(readers.map((reader) => reader.readUntil(leave.signal)))
  const sending = Promise.all(
    Array.from({ length: SENDERS }, (_, index) => {
      const user = at(people, index % PEOPLE)
      const sender = { name: `Sender ${index}`, user, places: places.filter(({ audience }) => audience.has(user.id)) }
      return sendUntil(silence.signal, sender, patience(), (message) => void sent.push(message))
    }),
  )
  const acknowledged = (): number => sent.length
  const disturbing = disturb(server, KILLS, patience(), acknowledged, (done) => (kills = done))
  const everything = [disturbing, sending, reading]
  try {
    // Whichever finds something wrong ends the test.
    await Promise.race([disturbing, Promise.all(everything)])
    silence.abort()
    await sending
    await delivered(readers, sent)
    leave.abort()
    await reading
  } finally {
    ending.abort()
    await Promise.allSettled(everything)
  }
  await judge(people, readers, sent)
}

/** Resolves when every reader has heard of everything, or does not any more. */
async function delivered(readers: readonly Reader[], sent: readonly Sent[]): Promise<void> {
  const deadline = performance.now() + DELIVERY_MILLISECONDS
  const isDone = (reader: Reader): boolean =>
    reader.problems.length > 0 || reader.received.length >= expectedBy(reader, sent).length
  while (!readers.every(isDone) && performance.now() < deadline) await sleep(50)
}

async function judge(people: readonly TestUser[], readers: readonly Reader[], sent: readonly Sent[]): Promise<void> {
  const histories = new Map(await Promise.all(people.map(async (user) => [user.id, await history(user)] as const)))
  const lostMessages = lost(sent, histories)
  const doubledTexts = doubled(histories)
  const gaps = readers.flatMap((reader) => {
    const ids = new Set(reader.received.map(({ messageId }) => messageId))
    return expectedBy(reader, sent).filter((id) => !ids.has(id))
  })
  const repetitions = readers.reduce((sum, reader) => sum + reader.wentBack, 0)
  process.stdout.write(
    `crash test: ${KILLS.server} kills of the server, ${KILLS.postmaster} of the database, ` +
      `${KILLS.databaseProcess} of one of its processes, ` +
      `${sent.length} messages acknowledged, ${lostMessages.length} lost, ${doubledTexts.length} doubled, ` +
      `${gaps.length} gaps (${readers.length} readers, who went back ${repetitions} times)\n`,
  )
  expect(readers.flatMap(({ name, problems }) => problems.map((problem) => `${name} ${problem}`))).toEqual([])
  expect({ lost: lostMessages, doubled: doubledTexts, gaps }).toEqual({ lost: [], doubled: [], gaps: [] })
  for (const reader of readers) {
    expect(reader.received.map(({ messageId }) => messageId)).toEqual(expectedBy(reader, sent))
  }
  for (const user of people) {
    // Only what was sent is there: each attempt that seemed to fail was repeated until it did not.
    expect(histories.get(user.id)?.size).toBe(sent.filter(({ audience }) => audience.has(user.id)).length)
    expect(await listedUnread(user)).toEqual(naivelyUnread(user.id, sent, readers))
  }
}

/** The owner and the others, who can log in. */
async function invite(url: string, patience: Patience): Promise<TestUser[]> {
  const owner = await logIn(url, patience)
  const people = [owner]
  for (let count = 1; count < PEOPLE; count += 1) {
    const email = `person${count}@example.com`
    await owner.call('POST', '/users', { email, password: OWNER.password, full_name: `Person ${count}` })
    people.push(await logIn(url, patience, email))
  }
  return people
}

/** Two channels, one of them private, and direct conversations of two and three. */
async function meetingPlaces(people: readonly TestUser[], random: Random): Promise<Place[]> {
  const owner = at(people, 0)
  const channel = async (name: string, members: readonly TestUser[], invite_only: boolean): Promise<Place[]> => {
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

function makeReaders(people: readonly TestUser[], isAway: () => boolean, patience: () => Patience): Reader[] {
  const prompt = { pauseMilliseconds: [0, 0] } as const
  const slow = { pauseMilliseconds: [200, 1_500] } as const
  const habits: readonly [string, number, Habit][] = [
    ['The prompt owner', 0, prompt],
    ['The slow owner', 0, { ...slow, eventTypes: ['message', 'update_message_flags', 'stream', 'subscription'] }],
    ['Person 1, who reads', 1, { ...prompt, marksRead: 0.2 }],
    ['Person 2, who goes back', 2, { ...prompt, goesBack: 0.1 }],
    ['Person 3, who goes back slowly', 3, { ...slow, goesBack: 0.3, marksRead: 0.3 }],
    ['Person 4, who is away for a while', 4, { ...prompt, isAway }],
    ['Person 5, who never waits', 5, { pauseMilliseconds: [50, 300], asksWithoutWaiting: true }],
    ['Person 5, who is slow', 5, slow],
  ]
  return habits.map(([name, index, habit]) => new Reader(name, at(people, index), habit, patience()))
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index]
  if (item === undefined) throw new Error(`there is no item ${index}`)
  return item
}
