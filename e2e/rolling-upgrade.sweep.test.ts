/*
 * A rolling upgrade without downtime: nodes of the previous and the current release share a database under load while
 * they are replaced one by one. No acknowledged message is lost or duplicated, every client continues with its queue,
 * and no request gets a 500.
 *
 * CRASH_SEED repeats a run's random choices.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { effort } from '../server/src/testing/effort.ts'
import { Random } from '../server/src/testing/random.ts'
import type { TestUser } from '../server/src/testing/user.ts'
import { logIn } from './crash/log-in.ts'
import { Reader } from './crash/reader.ts'
import { tryRequest, type RetryContext } from './crash/requests.ts'
import { sendMessagesUntil, type Destination, type SentMessage } from './crash/sender.ts'
import { OWNER, ServerProcess } from './crash/server-process.ts'
import { duplicatedContents, expectedMessageIds, readableMessages, findLostMessages } from './crash/verdict.ts'
import { Balancer, type Backend } from './rolling/balancer.ts'
import { buildEarlierRelease, type EarlierBuild } from './rolling/earlier.ts'

const SEED = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000)
/** Minimum number of responses by each node in each phase. */
const MIN_RESPONSES = effort(150)
const PEOPLE = 4
const SENDERS = 5
const TIMEOUT_MILLISECONDS = 600_000
const WAIT_OPTIONS = { timeout: 120_000, interval: 50 }
const NO_MOVE_NOTICES = { send_notification_to_old_thread: false, send_notification_to_new_thread: false }
/** Maximum time for readers to receive the last message. */
const DELIVERY_WAIT_OPTIONS = { timeout: 30_000, interval: 50 }

let earlier: EarlierBuild | undefined

beforeAll(async () => {
  earlier = await buildEarlierRelease()
  if (earlier !== undefined) process.stdout.write(`rolling upgrade test: from ${earlier.description}; seed ${SEED}\n`)
}, TIMEOUT_MILLISECONDS)
afterAll(async () => earlier?.remove())

it(
  'keeps serving under load while nodes of the previous release are replaced',
  async ({ skip }) => {
    const before = earlier ?? skip()
    const outcome = await underLoad(async ({ start, stop, isBusy }) => {
      const [one, two] = [
        await start('the first, of before', before.root),
        await start('the second, of before', before.root),
      ]
      await isBusy()
      await stop(one)
      const three = await start('the first, of now')
      await isBusy()
      // A node of the previous release keeps working with nodes of the current release.
      await stop(two)
      const four = await start('the second, of now')
      await isBusy()
      // A node restarts, for example after a change of its settings.
      await stop(three)
      await start('the first, of now, again')
      await isBusy()
      await stop(four)
      await isBusy()
    })
    expect(outcome).toEqual(NO_PROBLEMS)
  },
  TIMEOUT_MILLISECONDS,
)

it(
  'keeps serving whether or not a node of the previous release starts',
  async ({ skip }) => {
    const before = earlier ?? skip()
    let reason = ''
    const outcome = await underLoad(async ({ start, isBusy, environment }) => {
      await start('the first, of now')
      await isBusy()
      reason = await startFailure(before.root, environment)
      if (reason === '') await start('the second, of before', before.root)
      await isBusy()
    })
    process.stdout.write(
      `rolling upgrade test: the release before ${reason === '' ? 'serves, too' : 'does not start'}\n`,
    )
    expect(outcome).toEqual(NO_PROBLEMS)
    expect(reason).toMatch(/^$|a newer version of Parley has changed it \(\S+\); start that version,? or a later one/)
  },
  TIMEOUT_MILLISECONDS,
)

interface Outcome {
  /** Lost, duplicated, or incorrectly delivered messages. */
  readonly verdict: readonly string[]
  /** Requests that got a 500. */
  readonly faults: readonly string[]
  /** Nodes that exited unexpectedly. */
  readonly accidents: readonly string[]
}

const NO_PROBLEMS: Outcome = { verdict: [], faults: [], accidents: [] }

/** A node in rotation. */
interface Node {
  readonly process: ServerProcess
  readonly backend: Backend
}

interface Nodes {
  readonly environment: Readonly<Record<string, string>>
  /** Starts a node and adds it to the rotation when ready. @param root root of another build */
  readonly start: (name: string, root?: string) => Promise<Node>
  /** Removes a node from the rotation and stops it. */
  readonly stop: (node: Node) => Promise<void>
  /** Resolves when each node in rotation has answered many requests. */
  readonly isBusy: () => Promise<void>
}

/** Creates load while nodes are replaced, and checks the outcome. */
async function underLoad(upgrade: (nodes: Nodes) => Promise<void>): Promise<Outcome> {
  const random = new Random(SEED)
  const database = await newDatabase()
  const balancer = await Balancer.open()
  const serving: Node[] = []
  const accidents: string[] = []
  const ending = new AbortController()
  const environment = { DATABASE_URL: database.url, PARLEY_LOG_LEVEL: 'silent', PARLEY_URL: balancer.url }
  let load: Promise<Load> | undefined
  let verdict: readonly string[] = []
  const stop = async (node: Node): Promise<void> => {
    serving.splice(serving.indexOf(node), 1)
    balancer.remove(node.backend)
    await node.process.close()
    accidents.push(...node.process.accidents)
  }
  const nodes: Nodes = {
    environment,
    stop,
    async start(name, root) {
      const process = await ServerProcess.start(environment, undefined, root)
      await expect
        .poll(async () => process.accidents.length > 0 || (await isReady(process.url)), WAIT_OPTIONS)
        .toBe(true)
      expect(process.accidents).toEqual([])
      const node = { process, backend: balancer.add(name, process.url) }
      serving.push(node)
      // The first node creates the tables and the organization. It also creates all accounts, because a node of an
      // earlier build learns of new accounts with a delay.
      load ??= startLoad(balancer.url, () => ({ random: random.fork(), over: ending.signal }))
      await load
      return node
    },
    async isBusy() {
      const before = serving.map(({ backend }) => ({ backend, answered: backend.answered }))
      const { failed } = (await load) ?? { failed: () => false }
      const isDone = (): boolean =>
        failed() || before.every(({ backend, answered }) => backend.answered - answered >= MIN_RESPONSES)
      await expect.poll(isDone, WAIT_OPTIONS).toBe(true)
    },
  }
  try {
    await upgrade(nodes)
    const begun = await load
    verdict = begun === undefined ? ['no one did anything'] : await checkResults(await begun.end())
  } finally {
    ending.abort()
    await load?.then(async (begun) => begun.over()).catch(() => undefined)
    for (const node of serving.toReversed()) await stop(node)
    await balancer.close()
    await database.drop()
  }
  return { verdict, faults: balancer.faults, accidents }
}

async function isReady(url: string): Promise<boolean> {
  // Earlier releases lack a readiness endpoint; this one queries the database.
  return fetch(`${url}/api/v1/server_settings`).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** The reason why a build does not start; empty if it does. */
async function startFailure(root: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, ['bin/parley.js', 'start'], {
    cwd: root,
    env: { PATH, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [printed, said] = ['', '']
  const ended = once(child, 'close')
  const started = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      if (printed.includes('Ctrl-C')) resolve()
    })
  })
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  await Promise.race([ended, started])
  if (child.exitCode !== null) return said || `the server ended with exit code ${child.exitCode}`
  child.kill('SIGTERM')
  await ended
  return ''
}

/** Users' activity while nodes are replaced. */
interface Load {
  /** Whether a check has already failed, so that waiting is pointless. */
  readonly failed: () => boolean
  /** Ends after everyone has received all messages. */
  readonly end: () => Promise<Activity>
  /** Ends immediately. */
  readonly over: () => Promise<void>
}

interface Activity {
  readonly people: readonly TestUser[]
  readonly readers: readonly Reader[]
  readonly sent: readonly SentMessage[]
}

async function startLoad(url: string, patience: () => RetryContext): Promise<Load> {
  const people = await inviteUsers(url, patience())
  const places = await createDestinations(people)
  const readers = people.map(
    (user, index) => new Reader(`Reader ${index}`, user, { pauseMilliseconds: [0, 20], marksRead: 0.2 }, patience()),
  )
  await Promise.all(readers.map(async (reader) => reader.register()))
  const sent: SentMessage[] = []
  const [silence, leave] = [new AbortController(), new AbortController()]
  let broken = false
  const working = [
    ...Array.from({ length: SENDERS }, async (_, index) => {
      const sender = { name: `Sender ${index}`, user: itemAt(people, index % PEOPLE), places }
      return sendMessagesUntil(silence.signal, sender, patience(), (message) => void sent.push(message))
    }),
    ...people.map(async (user, index) => sendOtherRequests(silence.signal, user, index, patience(), sent)),
  ]
  const reading = Promise.all(readers.map(async (reader) => reader.readUntil(leave.signal)))
  const all = Promise.all([...working, reading])
  all.catch(() => (broken = true))
  return {
    failed: () => broken || readers.some(({ problems }) => problems.length > 0),
    async end() {
      silence.abort()
      await Promise.all(working)
      const isDone = (reader: Reader): boolean =>
        reader.problems.length > 0 || reader.received.length >= expectedMessageIds(reader, sent).length
      // The verdict reports missing messages.
      await expect
        .poll(() => readers.every(isDone), DELIVERY_WAIT_OPTIONS)
        .toBe(true)
        .catch(() => undefined)
      leave.abort()
      await all
      return { people, readers, sent }
    },
    async over() {
      silence.abort()
      leave.abort()
      await all
    },
  }
}

/** Sends various other requests, none of which may get a 500. */
async function sendOtherRequests(
  stopped: AbortSignal,
  user: TestUser,
  index: number,
  { random }: RetryContext,
  sent: readonly SentMessage[],
): Promise<void> {
  const latest = (): number => sent.at(-1)?.id ?? 0
  const own = (): number => sent.findLast(({ senderId }) => senderId === user.id)?.id ?? 0
  const things: readonly ((count: number) => readonly [string, string, Record<string, unknown>])[] = [
    () => ['POST', `/messages/${latest()}/reactions`, { emoji_name: 'tada' }],
    () => ['DELETE', `/messages/${latest()}/reactions`, { emoji_name: 'tada' }],
    (count) => ['PATCH', `/messages/${own()}`, { topic: `moved ${count % 3}`, ...NO_MOVE_NOTICES }],
    (count) => ['PATCH', '/settings', { enter_sends: count % 2 === 0 }],
    () => ['GET', '/messages', { anchor: 'newest', num_before: 20, num_after: 0 }],
    (count) => ['POST', '/users/me/subscriptions', { subscriptions: [{ name: `of ${index}, ${count % 5}` }] }],
    (count) => ['DELETE', '/users/me/subscriptions', { subscriptions: [`of ${index}, ${count % 5}`] }],
    () => ['POST', '/drafts', { drafts: [{ type: 'stream', to: [], topic: 'later', content: 'A draft' }] }],
    () => ['POST', '/users/me/presence', { status: 'active' }],
    () => ['POST', '/register', { event_types: ['message', 'reaction', 'subscription'] }],
    (count) => ['POST', '/typing', { op: count % 2 === 0 ? 'start' : 'stop', type: 'direct', to: [user.id] }],
    () => ['GET', '/users', {}],
  ]
  for (let count = 0; !stopped.aborted; count += 1) {
    const [method, path, parameters] = random.of(things)(count)
    await tryRequest(user, method, path, parameters)
    await sleep(random.between(10, 60))
  }
}

/** Checks all messages and readers. @returns descriptions of errors */
async function checkResults({ people, readers, sent }: Activity): Promise<string[]> {
  const histories = new Map(
    await Promise.all(people.map(async (user) => [user.id, await readableMessages(user)] as const)),
  )
  const [lostMessages, doubledTexts] = [findLostMessages(sent, histories), duplicatedContents(histories)]
  process.stdout.write(
    `rolling upgrade test: ${sent.length} messages acknowledged, ${lostMessages.length} lost, ${doubledTexts.length} doubled\n`,
  )
  return [
    ...lostMessages.map(({ content }) => `'${content}' is lost`),
    ...doubledTexts.map((content) => `'${content}' exists twice`),
    ...readers.flatMap((reader) => {
      const told = new Set(reader.received.map(({ messageId }) => messageId))
      const untold = expectedMessageIds(reader, sent).filter((id) => !told.has(id))
      return [...reader.problems, ...untold.map((id) => `did not receive ${id}`)].map((one) => `${reader.name} ${one}`)
    }),
  ]
}

/** The owner and other users, signed in. */
async function inviteUsers(url: string, patience: RetryContext): Promise<TestUser[]> {
  const owner = await logIn(url, patience)
  const people = [owner]
  for (let count = 1; count < PEOPLE; count += 1) {
    const email = `person${count}@example.com`
    await owner.call('POST', '/users', { email, password: OWNER.password, full_name: `Person ${count}` })
    people.push(await logIn(url, patience, email))
  }
  return people
}

/** Topics of a shared channel, and a group conversation. */
async function createDestinations(people: readonly TestUser[]): Promise<Destination[]> {
  const ids = people.map(({ id }) => id)
  const audience = new Set(ids)
  await itemAt(people, 0).subscribe(['everybody'], { principals: ids })
  return [
    ...['one', 'two', 'three'].map((topic) => ({ parameters: { type: 'stream', to: 'everybody', topic }, audience })),
    { parameters: { type: 'direct', to: ids }, audience },
  ]
}

function itemAt<Item>(items: readonly Item[], index: number): Item {
  const item = items[index]
  if (item === undefined) throw new Error(`no item ${index}`)
  return item
}

async function newDatabase(): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const name = `rolling_${randomUUID().replaceAll('-', '')}`
  const { host, user } = inject('postgres')
  const ask = async (text: string): Promise<void> => {
    const client = new pg.Client({ ...inject('postgres') })
    await client.connect()
    try {
      await client.query(text)
    } finally {
      await client.end()
    }
  }
  await ask(`create database ${name}`)
  return {
    url: `postgres://${user ?? ''}@/${name}?host=${encodeURIComponent(host ?? '')}`,
    drop: async () => ask(`drop database ${name} with (force)`),
  }
}
