import pg from 'pg'
import { expect, vi } from 'vitest'
import { findRunningPostgres } from '../../server/src/platform/embedded/index.ts'
import { upload } from '../../server/src/testing/files.ts'
import { Random } from '../../server/src/testing/random.ts'
import type { Body, TestUser } from '../../server/src/testing/user.ts'
import { logIn } from '../crash/log-in.ts'
import { tryRequest, retryUntilSuccess, type RetryContext } from '../crash/requests.ts'
import { OWNER, ServerProcess } from '../crash/server-process.ts'

const POLL_OPTIONS = { timeout: 30_000, interval: 20 }

interface Scene {
  readonly server: ServerProcess
  readonly patience: RetryContext
  readonly owner: TestUser
  readonly mia: TestUser
}

/** A message in its own channel that causes every kind of follow-up work. Its parameters include an idempotency key. */
interface Message {
  readonly channel: string
  readonly channelId: number
  readonly parameters: Body
}

interface Step {
  readonly name: string
  /** Whether the message is committed when the server dies. */
  readonly isSent: boolean
  /** Blocks the server at the step while the message is sent; resolves when the server is blocked. */
  readonly reach: (locks: Locks, message: Message) => Promise<void>
}

/** Inserts the same topic, so that the server, holding the organization's lock, waits until this transaction ends. */
const conflictingTopicSql = ({ channelId }: Message): string =>
  `insert into topics (organization_id, channel_id, name, name_key, first_id, max_id)
   select organization_id, id, 'talk', 'talk', 0, 0 from channels where id = ${channelId}`

export const STEPS: readonly Step[] = [
  {
    name: 'before the message is committed',
    isSent: false,
    reach: async (locks, message) => locks.untilHeld(conflictingTopicSql(message)),
  },
  {
    name: 'between the commit of the message and the run',
    isSent: true,
    async reach(locks, message) {
      const release = await locks.take(conflictingTopicSql(message))
      await locks.untilWaitedFor()
      // Queues for the organization's lock behind the message's transaction.
      const taken = locks.untilHeld('select from organizations for update')
      await locks.untilAllWait()
      await release()
      await taken
    },
  },
  {
    name: 'within the run, before its first effect',
    isSent: true,
    reach: async (locks) => locks.untilHeld('lock table channels in exclusive mode'),
  },
  {
    name: 'within the run, between two effects',
    isSent: true,
    reach: async (locks, { channelId }) =>
      locks.untilHeld(`select from user_topics where channel_id = ${channelId} for update`),
  },
  {
    name: 'within the run, between its effects and its cursor',
    isSent: true,
    reach: async (locks) => locks.untilHeld('lock table consumers in exclusive mode'),
  },
]

/** Kills the server at each step and after its response. Expects each message and its follow-up work exactly once. */
export async function expectFollowedUpOnce(steps: readonly Step[]): Promise<void> {
  const server = await ServerProcess.start({ PARLEY_LOG_LEVEL: 'silent' })
  const over = new AbortController()
  try {
    const scene = await createScene(server, { random: new Random(1), over: over.signal })
    for (const [index, step] of steps.entries()) await killAtStep(scene, step, await prepareMessage(scene, index))
    await killAfterResponse(scene, await prepareMessage(scene, steps.length))
  } finally {
    over.abort()
    await server.close()
  }
  expect(server.accidents).toEqual([])
}

async function killAtStep({ server, owner, mia, patience }: Scene, step: Step, message: Message): Promise<void> {
  const locks = new Locks(server)
  const reached = step.reach(locks, message)
  // Sends the message after taking the first lock.
  await locks.ready
  const sending = tryRequest(owner, 'POST', '/messages', message.parameters)
  await reached
  await server.killAndRestart(async () => locks.end())
  const response = await sending
  const before = await findMessageId(server, message)
  expect([step.name, before !== undefined]).toEqual([step.name, step.isSent])
  // Rarely, the run takes the organization's lock first, and the response is sent before the server dies.
  if (response !== undefined) expect([step.name, response.body['id']]).toEqual([step.name, before])
  const { id } = await retryUntilSuccess(owner, 'POST', '/messages', message.parameters, patience)
  expect([step.name, id]).toEqual([step.name, before ?? (await findMessageId(server, message))])
  await expectEffectsOnce({ server, owner, mia, patience }, message, step.name)
}

async function killAfterResponse(scene: Scene, message: Message): Promise<void> {
  const { server, owner } = scene
  const { id, automatic_new_visibility_policy: policy } = await owner.call('POST', '/messages', message.parameters)
  expect([id, policy]).toEqual([await findMessageId(server, message), 3])
  await server.killAndRestart()
  const again = await retryUntilSuccess(owner, 'POST', '/messages', message.parameters, scene.patience)
  expect(again['id']).toBe(id)
  await expectEffectsOnce(scene, message, 'after the answer')
}

/** Checks that the message's effects exist and were reported once, even after a later message. */
async function expectEffectsOnce(scene: Scene, message: Message, name: string): Promise<void> {
  const { server, owner, mia, patience } = scene
  const id = await vi.waitFor(async () => {
    const found = await findMessageId(server, message)
    const [cursor] = await queryRows<{ position: number }>(server, 'select position::float8 from consumers')
    expect(cursor?.position ?? 0).toBeGreaterThanOrEqual(found ?? Infinity)
    return found
  }, POLL_OPTIONS)
  const [sent] = await queryRows(server, 'select count(*)::int from messages where channel_id = $1', [
    message.channelId,
  ])
  expect([name, sent]).toEqual([name, { count: 1 }])
  // A later message with its own follow-up work.
  const later = { ...message.parameters, topic: 'another', idempotency_key: `${name}, later` }
  await retryUntilSuccess(owner, 'POST', '/messages', later, patience)
  const told = await queryRows(
    server,
    `select type, audience -> 'users' as users, count(*)::int from events
     where position > $1 and type in ('user_topic', 'attachment/update', 'stream/update')
     and not payload @> '{"topic_name": "another"}'
     and (payload ->> 'stream_id' = $2 or payload -> 'attachment' -> 'messages' @> jsonb_build_array(jsonb_build_object('id', $1::bigint)))
     group by 1, 2 order by 1, 2`,
    [id, String(message.channelId)],
  )
  expect([name, ...told]).toEqual([
    name,
    // One event for this message, because the later message links to the same file.
    { type: 'attachment/update', users: [owner.id], count: 2 },
    { type: 'stream/update', users: [], count: 1 },
    { type: 'user_topic', users: [owner.id], count: 1 },
    { type: 'user_topic', users: [mia.id], count: 1 },
  ])
  const { streams } = await retryUntilSuccess(owner, 'GET', '/streams', {}, patience)
  const channel = streams.find(({ stream_id }) => stream_id === message.channelId)
  expect([name, channel?.first_message_id]).toEqual([name, id])
  for (const user of [owner, mia]) {
    const { user_topics } = await retryUntilSuccess(
      user,
      'POST',
      '/register',
      { fetch_event_types: ['user_topic'] },
      patience,
    )
    const chosen = user_topics.filter(
      ({ stream_id, topic_name }) => stream_id === message.channelId && topic_name === 'talk',
    )
    expect([name, ...chosen]).toMatchObject([name, { visibility_policy: 3 }])
  }
}

async function createScene(server: ServerProcess, patience: RetryContext): Promise<Scene> {
  const owner = await logIn(server.url, patience)
  await owner.call('POST', '/users', { email: 'mia@example.com', password: OWNER.password, full_name: 'Mia Muter' })
  const mia = await logIn(server.url, patience, 'mia@example.com')
  await mia.call('PATCH', '/settings', { automatically_follow_topics_where_mentioned: true })
  return { server, patience, owner, mia }
}

/** Prepares a first message that starts a topic, links a file, and mentions a user who muted the topic. */
async function prepareMessage({ owner, mia }: Scene, index: number): Promise<Message> {
  const channel = `channel ${index}`
  await owner.subscribe([channel], { principals: [owner.id, mia.id] })
  const channelId = (await owner.call('GET', '/get_stream_id', { stream: channel }))['stream_id']
  await mia.call('POST', '/user_topics', { stream_id: channelId, topic: 'talk', visibility_policy: 1 })
  const url = await upload(owner, 'a.txt', 'A file')
  const content = `@**Mia Muter** look at [this](${url})`
  const parameters = { type: 'stream', to: channelId, topic: 'talk', content, idempotency_key: channel }
  return { channel, channelId, parameters }
}

async function findMessageId(server: ServerProcess, { channelId }: Message): Promise<number | undefined> {
  const [row] = await queryRows<{ id: number }>(
    server,
    'select min(id)::int as id from messages where channel_id = $1',
    [channelId],
  )
  return row?.id ?? undefined
}

/** Database locks that block the server at a step. */
class Locks {
  readonly #server: ServerProcess
  readonly #holders: { readonly client: pg.Client; readonly pid: number }[] = []
  readonly ready: Promise<void>
  #isReady: () => void = () => undefined

  constructor(server: ServerProcess) {
    this.#server = server
    this.ready = new Promise((resolve) => {
      this.#isReady = resolve
    })
  }

  /** Takes a lock. @returns a function that releases it */
  async take(statement: string): Promise<() => Promise<void>> {
    const client = await connect(this.#server)
    const [holder] = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows
    this.#holders.push({ client, pid: holder?.pid ?? 0 })
    await client.query('begin')
    await client.query(statement)
    this.#isReady()
    return async () => {
      await client.query('rollback')
    }
  }

  /** Takes a lock and waits until the server is blocked by it. */
  async untilHeld(statement: string): Promise<void> {
    await this.take(statement)
    await this.untilWaitedFor()
  }

  /** Waits until another session is blocked by the last lock. */
  async untilWaitedFor(): Promise<void> {
    const last = this.#holders.at(-1)
    await this.#until('exists (select from pg_stat_activity where $1 = any(pg_blocking_pids(pid)))', last?.pid)
  }

  /** Waits until the last session of the test is itself blocked. */
  async untilAllWait(): Promise<void> {
    await waitUntil(() => this.#holders.length === 2)
    await this.#until('cardinality(pg_blocking_pids($1)) > 0', this.#holders.at(-1)?.pid)
  }

  /** Terminates the sessions of the dead server, which the database still considers alive, and releases all locks. */
  async end(): Promise<void> {
    const own = this.#holders.map(({ pid }) => pid)
    const others = `from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
      and pid <> pg_backend_pid() and pid <> all($1::int[])`
    await waitUntil(async () => {
      await queryRows(this.#server, `select pg_terminate_backend(pid) ${others}`, [own])
      return (await queryRows(this.#server, `select pid ${others}`, [own])).length === 0
    })
    for (const { client } of this.#holders) await client.end()
  }

  async #until(condition: string, pid: number | undefined): Promise<void> {
    await waitUntil(async () => {
      const [row] = await queryRows<{ holds: boolean }>(this.#server, `select ${condition} as holds`, [pid])
      return row?.holds === true
    })
  }
}

async function waitUntil(holds: () => Promise<boolean> | boolean): Promise<void> {
  await vi.waitFor(async () => {
    if (!(await holds())) throw new Error('the condition is not met yet')
  }, POLL_OPTIONS)
}

async function connect(server: ServerProcess): Promise<pg.Client> {
  const running = await vi.waitFor(async () => {
    const found = await findRunningPostgres(server.dataDirectory)
    if (found === undefined) throw new Error('the database does not run')
    return found
  }, POLL_OPTIONS)
  const client = new pg.Client(running.connection)
  // The server can stop the database while this client is connected.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

async function queryRows<Row extends pg.QueryResultRow>(
  server: ServerProcess,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = await connect(server)
  try {
    return (await client.query<Row>(text, [...values])).rows
  } finally {
    await client.end()
  }
}
