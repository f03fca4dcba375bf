import { EventEmitter, once } from 'node:events'
import pg from 'pg'
import { afterEach, expect, it, vi } from 'vitest'
import * as z from 'zod/mini'
import { event } from '../../kernel/event.ts'
import { openConsumerNode, type ConsumerNode, type ConsumerNodeOptions } from '../../testing/consumer-node.ts'
import { useTestServer } from '../../testing/server.ts'
import type { OrganizationLog } from '../log/organization-log.ts'
import { LOG_RETENTION_SECONDS, UNHANDLED_RETENTION_SECONDS } from '../log/prune.ts'
import { recognizeRestoredDatabase } from '../log/restored.ts'
import type { Consumer } from './consumer.ts'
import { recordNewConsumers, storeClearPositions } from './cursors.ts'

const server = useTestServer()

const question = event({
  type: 'test_question',
  summary: 'Asks.',
  payload: z.object({ word: z.string() }),
  touches: [],
  apply: () => undefined,
})
const answer = event({
  type: 'test_answer',
  summary: 'Answers.',
  payload: z.object({ word: z.string(), to: z.number() }),
  touches: [],
  apply: () => undefined,
})

type RunFunction = Consumer<string>['run']

const answerQuestions: RunFunction = async (tx, events, outcomes) => {
  for (const { payload, position } of events) {
    const word = String(payload['word'])
    tx.emit(answer, { word, to: position }, {})
    outcomes.set(position, `answered ${word}`)
  }
}

let consumerCount = 0

function consumerWith(run: RunFunction, more: Partial<Consumer<string>> = {}): Consumer<string> {
  consumerCount += 1
  return { name: `consumer ${consumerCount}`, events: [question], run, ...more }
}

const nodes: ConsumerNode[] = []

afterEach(async () => {
  await Promise.all(nodes.splice(0).map(async (node) => node.close()))
})

async function withClient<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(server().database)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function startNode(consumer: Consumer<string>, options: ConsumerNodeOptions = {}): Promise<ConsumerNode> {
  await withClient(async (client) => recordNewConsumers(client, [consumer.name]))
  const node = openConsumerNode(server().database, consumer, options)
  nodes.push(node)
  return node
}

async function emitQuestions(log: OrganizationLog, ...words: string[]): Promise<number[]> {
  return log.write(async (tx) => words.map((word) => tx.emit(question, { word }, {})))
}

/** Returns answers in log order. */
async function answersIn(organizationId: number): Promise<{ word: string; to: number }[]> {
  return withClient(async (client) => {
    const { rows } = await client.query<{ payload: { word: string; to: number } }>(
      "select payload from events where organization_id = $1 and type = 'test_answer' order by position",
      [organizationId],
    )
    return rows.map(({ payload }) => payload)
  })
}

async function wordsAnswered(organizationId: number): Promise<string[]> {
  return (await answersIn(organizationId)).map(({ word }) => word)
}

const POLL_OPTIONS = { timeout: 20_000, interval: 20 }

it('handles each event once and in order with two processes', async () => {
  const { id } = await server().organization()
  const consumer = consumerWith(answerQuestions)
  const logs = [await startNode(consumer), await startNode(consumer)].map(({ logs: own }) => own)
  const [first, second] = await Promise.all(logs.map(async (own) => own.of(id)))
  if (first === undefined || second === undefined) throw new Error('there are two')
  const asked = await Promise.all(
    Array.from({ length: 60 }, async (_, index) => emitQuestions(index % 2 === 0 ? first : second, `word ${index}`)),
  )
  await vi.waitFor(async () => expect(await answersIn(id)).toHaveLength(60), POLL_OPTIONS)
  expect((await answersIn(id)).map(({ to }) => to)).toEqual(asked.flat().toSorted((a, b) => a - b))
})

it("stores a consumer's pruning position even while the consumer handles an event", async () => {
  const { id } = await server().organization()
  const { reads } = server().parley.database
  // The consumer has no row for the organization yet; inserting one checks the foreign key.
  const consumer = consumerWith(async (tx, ...rest) => {
    await storeClearPositions(reads, consumer.name, new Map([[id, 1]]))
    await answerQuestions(tx, ...rest)
  })
  await emitQuestions(await (await startNode(consumer)).logs.of(id), 'word')
  await vi.waitFor(async () => expect(await wordsAnswered(id)).toEqual(['word']), POLL_OPTIONS)
  const { rows } = await withClient(async (client) =>
    client.query<{ position: number }>(
      'select clear_position::float8 as position from consumers where organization_id = $1 and name = $2',
      [id, consumer.name],
    ),
  )
  expect(rows[0]?.position).toBeGreaterThanOrEqual(1)
})

it('ends a wait for an event once another process has handled the event', async () => {
  const { id } = await server().organization()
  const consumer = consumerWith(answerQuestions)
  const [own, other] = [await startNode(consumer, { isPrompt: false }), await startNode(consumer)]
  const [log, otherLog] = [await own.logs.of(id), await other.logs.of(id)]
  const [position = 0] = await emitQuestions(log, 'ours')
  const handled = own.consumers.handled(log, consumer, position)
  await emitQuestions(otherLog, 'theirs')
  expect(await handled).toBe('answered ours')
  expect([own, other].map(({ consumers }) => consumers.reports()[0]?.events)).toEqual([0, 2])
  expect(own.consumers.handled(log, consumer, position)).toBeUndefined()
})

it('handles events that a stopped process left unhandled, even if the organization receives no requests', async () => {
  const { id } = await server().organization()
  const consumer = consumerWith(answerQuestions)
  const gone = await startNode(consumer, { isHandling: false })
  await emitQuestions(await gone.logs.of(id), 'left')
  await gone.close()
  expect(await answersIn(id)).toEqual([])
  await startNode(consumer, { shared: false })
  await vi.waitFor(async () => expect(await wordsAnswered(id)).toEqual(['left']), POLL_OPTIONS)
})

it('batches events for a batching consumer, including events that a stopped process left unhandled', async () => {
  const { id } = await server().organization()
  const runs: number[] = []
  const consumer = consumerWith(
    async (tx, events, outcomes) => {
      runs.push(events.length)
      await answerQuestions(tx, events, outcomes)
    },
    { gatherSeconds: 2 },
  )
  const gone = await startNode(consumer)
  const log = await gone.logs.of(id)
  await emitQuestions(log, 'one')
  await emitQuestions(log, 'two', 'three')
  await gone.close()
  expect(runs).toEqual([])
  const log2 = await (await startNode(consumer, { shared: false })).logs.of(id)
  await emitQuestions(log2, 'four')
  await vi.waitFor(async () => expect(await wordsAnswered(id)).toEqual(['one', 'two', 'three', 'four']), POLL_OPTIONS)
  // Events written before and during the read are handled in one or two runs.
  expect(runs.length).toBeLessThan(3)
})

it('handles events that another running process emits but does not handle', async () => {
  const { id } = await server().organization()
  const consumer = consumerWith(answerQuestions)
  const [stuck, other] = [await startNode(consumer, { isHandling: false }), await startNode(consumer)]
  await other.logs.of(id)
  await emitQuestions(await stuck.logs.of(id), 'left')
  await vi.waitFor(async () => expect(await wordsAnswered(id)).toEqual(['left']), POLL_OPTIONS)
})

it('keeps an idle organization loaded until its events are handled', async () => {
  const { id } = await server().organization()
  const node = await startNode(consumerWith(answerQuestions, { gatherSeconds: 1 }))
  await node.logs.use(id, async (log) => emitQuestions(log, 'one', 'two'))
  await node.logs.closeUnused()
  expect(node.logs.loaded()).toHaveLength(1)
  await vi.waitFor(async () => {
    await node.logs.closeUnused()
    expect(node.logs.loaded()).toEqual([])
  }, POLL_OPTIONS)
  expect(await wordsAnswered(id)).toEqual(['one', 'two'])
})

it('skips and reports an event that fails repeatedly, then continues', async () => {
  const { id } = await server().organization()
  const consumer = consumerWith(async (tx, events, outcomes) => {
    await answerQuestions(tx, events, outcomes)
    if (events.some(({ payload }) => payload['word'] === 'poison')) throw new Error('this cannot be answered')
  })
  const node = await startNode(consumer)
  const log = await node.logs.of(id)
  const [, poisoned = 0] = await emitQuestions(log, 'before', 'poison', 'after')
  await vi.waitFor(async () => expect(await wordsAnswered(id)).toEqual(['before', 'after']), POLL_OPTIONS)
  await emitQuestions(log, 'later')
  await vi.waitFor(async () => expect(await wordsAnswered(id)).toEqual(['before', 'after', 'later']), POLL_OPTIONS)
  const [report] = node.consumers.reports()
  // The event fails once in the batch, and eight times alone.
  expect(report).toMatchObject({ name: consumer.name, lag: 0, failures: 9, skipped: 1, events: 3 })
  const said = { consumer: consumer.name, organizationId: id, position: poisoned }
  const message = 'consumer skipped a repeatedly failing event'
  expect(node.errors.at(-1)).toMatchObject({ message, ...said })
})

it("applies a consumer's effect once after failed attempts", async () => {
  const { id } = await server().organization()
  let failures = 3
  const consumer = consumerWith(async (tx, events, outcomes) => {
    await answerQuestions(tx, events, outcomes)
    failures -= 1
    if (failures >= 0) throw new Error('not yet')
  })
  const node = await startNode(consumer)
  await emitQuestions(await node.logs.of(id), 'hello')
  await vi.waitFor(async () => expect(await wordsAnswered(id)).toEqual(['hello']), POLL_OPTIONS)
  expect(node.consumers.reports()).toMatchObject([{ failures: 3, skipped: 0, runs: 1, events: 1, lag: 0 }])
})

it('does not skip an event because of a database outage', async () => {
  const { id } = await server().organization()
  let failures = 20
  const consumer = consumerWith(async (tx, events, outcomes) => {
    failures -= 1
    if (failures >= 0) throw new Error('Connection terminated unexpectedly')
    await answerQuestions(tx, events, outcomes)
  })
  const node = await startNode(consumer, { retryMilliseconds: 0 })
  await emitQuestions(await node.logs.of(id), 'hello')
  await vi.waitFor(async () => expect(await wordsAnswered(id)).toEqual(['hello']), POLL_OPTIONS)
  expect(node.consumers.reports()).toMatchObject([{ failures: 20, skipped: 0 }])
  // The error is reported only once, because the server's other connections work.
  const message = 'consumer cannot run'
  await vi.waitFor(() => expect(node.errors).toEqual([expect.objectContaining({ message })]), POLL_OPTIONS)
})

it('does not make a request wait for a consumer that is failing', async () => {
  const { id } = await server().organization()
  const consumer = consumerWith(() => Promise.reject(new Error('never')))
  const node = await startNode(consumer, { retryMilliseconds: 60_000 })
  const log = await node.logs.of(id)
  const [first = 0] = await emitQuestions(log, 'first')
  await node.consumers.handled(log, consumer, first)
  await vi.waitFor(() => expect(node.errors).toHaveLength(1), POLL_OPTIONS)
  const [second = 0] = await emitQuestions(log, 'second')
  expect(node.consumers.handled(log, consumer, second)).toBeUndefined()
  expect(node.consumers.reports()).toMatchObject([{ lag: 2 }])
})

it('runs a consumer only for events that need it and never rereads other events', async () => {
  const { id } = await server().organization()
  const asked: unknown[] = []
  const consumer = consumerWith(answerQuestions, {
    isNeeded(_, { payload }) {
      asked.push(payload['word'])
      return payload['word'] === 'needed'
    },
  })
  const node = await startNode(consumer)
  await emitQuestions(await node.logs.of(id), 'idle', 'needed', 'idle')
  await vi.waitFor(async () => expect(await wordsAnswered(id)).toEqual(['needed']), POLL_OPTIONS)
  expect(node.consumers.reports()).toMatchObject([{ runs: 1, events: 1 }])
  await node.close()
  asked.length = 0
  const next = await startNode(consumer)
  await emitQuestions(await next.logs.of(id), 'needed')
  await vi.waitFor(async () => expect(await answersIn(id)).toHaveLength(2), POLL_OPTIONS)
  expect(asked).toEqual(['needed'])
})

it("finishes a consumer's current run before closing, and starts no further run", async () => {
  const { id } = await server().organization()
  const [began, held] = [new EventEmitter(), new EventEmitter()]
  const [hasBegun, isReleased] = [once(began, 'begun'), once(held, 'released')]
  const consumer = consumerWith(async (tx, events, outcomes) => {
    began.emit('begun')
    await isReleased
    await answerQuestions(tx, events, outcomes)
  })
  const node = await startNode(consumer)
  const log = await node.logs.of(id)
  await emitQuestions(log, 'first')
  await hasBegun
  const second = emitQuestions(log, 'second')
  let isClosed = false
  const closing = node.consumers.close().then(() => (isClosed = true))
  expect(await wordsAnswered(id)).toEqual([])
  expect(isClosed).toBe(false)
  held.emit('released')
  await Promise.all([second, closing])
  expect(await wordsAnswered(id)).toEqual(['first'])
})

it('starts a new consumer at the end of existing logs and the start of newer logs', async () => {
  const { id: older } = await server().organization()
  const before = await startNode(consumerWith(answerQuestions), { isHandling: false })
  await emitQuestions(await before.logs.of(older), 'long ago')
  const consumer = consumerWith(answerQuestions)
  const quiet = await startNode(consumer, { isHandling: false })
  const { id: newer } = await server().organization()
  for (const id of [older, newer]) await emitQuestions(await quiet.logs.of(id), 'now')
  await quiet.close()
  const node = await startNode(consumer)
  for (const id of [older, newer]) {
    await node.logs.of(id)
    await vi.waitFor(async () => expect(await wordsAnswered(id)).toEqual(['now']), POLL_OPTIONS)
  }
})

it('handles leftover and new events once after a database restore', async () => {
  const { id } = await server().organization()
  const consumer = consumerWith(answerQuestions)
  const node = await startNode(consumer)
  await emitQuestions(await node.logs.of(id), 'done')
  await vi.waitFor(async () => expect(await wordsAnswered(id)).toEqual(['done']), POLL_OPTIONS)
  await node.close()
  const quiet = await startNode(consumer, { isHandling: false })
  await emitQuestions(await quiet.logs.of(id), 'left')
  await quiet.close()
  await withClient(async (client) => recognizeRestoredDatabase(client, `elsewhere ${id}`))
  const restored = await startNode(consumer)
  const log = await restored.logs.of(id)
  expect(log.organization.position).toBeGreaterThan(1_000_000)
  await emitQuestions(log, 'new')
  await vi.waitFor(async () => expect(await wordsAnswered(id)).toEqual(['done', 'left', 'new']), POLL_OPTIONS)
})

it('retains unhandled events for a week and reports the consumer that lags', async () => {
  const { id } = await server().organization()
  const consumer = consumerWith(answerQuestions)
  const quiet = await startNode(consumer, { isHandling: false })
  const log = await quiet.logs.of(id)
  const [left = 0] = await emitQuestions(log, 'left')
  await log.write(async (tx) => tx.nextId())
  const remaining = async (): Promise<number> =>
    withClient(async (client) => {
      const { rows } = await client.query<{ position: number }>(
        'select min(position) as position from events where organization_id = $1',
        [id],
      )
      return rows[0]?.position ?? 0
    })
  const age = async (seconds: number): Promise<unknown> =>
    withClient(async (client) =>
      client.query('update events set recorded_at = $2 where organization_id = $1', [
        id,
        Math.floor(Date.now() / 1000) - seconds - 60,
      ]),
    )
  await age(LOG_RETENTION_SECONDS)
  expect(await quiet.logs.prune()).toEqual([{ organizationId: id, consumer: consumer.name }])
  expect(await remaining()).toBe(left)
  await age(UNHANDLED_RETENTION_SECONDS)
  await quiet.logs.prune()
  expect(await remaining()).toBe(log.organization.position)
})
