import { expect, it } from 'vitest'
import { MAX_BUFFERED_CHARACTERS } from '../../platform/queues/queue.ts'
import { readLog, MAX_READ_BYTES } from '../../platform/queues/store.ts'
import type { EventFields } from '../../testing/contract-types.ts'
import { useTestServer } from '../../testing/server.ts'
import { statementsDuring } from '../../testing/statements.ts'
import type { TestQueue } from '../../testing/user.ts'

const server = useTestServer()

const LARGE_CHARACTERS = 300_000
const MANY_EVENTS = 40

/** Makes stored events look like those of older versions. */
async function changeStoredEvents(statement: string, ...values: readonly unknown[]): Promise<void> {
  await server().parley.database.pool.query(statement, [...values])
}

async function pollAll(queue: TestQueue): Promise<EventFields[][]> {
  const answers: EventFields[][] = []
  for (let events = await queue.events(); events.length > 0; events = await queue.events()) answers.push(events)
  return answers
}

/** Receives all events, then polls from the start again, so that the server reads the log. */
async function pollAgain(queue: TestQueue, meanwhile: () => Promise<void>): Promise<EventFields[][]> {
  const beginning = queue.lastEventId
  await pollAll(queue)
  await meanwhile()
  queue.lastEventId = beginning
  return pollAll(queue)
}

function expectBoundedAnswers(answers: readonly EventFields[][]): void {
  for (const events of answers) {
    const before = events.slice(0, -1).reduce((sum, event) => sum + JSON.stringify(event).length, 0)
    expect(before).toBeLessThan(MAX_BUFFERED_CHARACTERS)
  }
}

it('delivers very large missed messages in small batches, each once', async () => {
  const { owner } = await server().organization()
  const queue = await owner.register({ event_types: ['message'] })
  const ids: number[] = []
  for (let count = 0; count < MANY_EVENTS; count += 1) ids.push(await owner.sendTo([owner.id], `Message ${count}`))
  const gone = [ids[7], ids[MANY_EVENTS - 1]]
  let answers: EventFields[][] = []
  const statements = await statementsDuring(server().database, async () => {
    answers = await pollAgain(queue, async () => {
      for (const id of gone) await owner.call('DELETE', `/messages/${id}`)
      await changeStoredEvents(
        `update messages set rendered_content = repeat('x', $2::int) where id = any($1)`,
        ids,
        LARGE_CHARACTERS,
      )
    })
  })
  expectBoundedAnswers(answers)
  expect(answers.flat().map(({ message }) => message?.id)).toEqual(ids.filter((id) => !gone.includes(id)))
  // The few statements show that large messages are not read repeatedly.
  expect(statements.filter((text) => text.includes('from messages')).length).toBeLessThan(2 * answers.length)
})

it('delivers very large missed edits in small batches, each once', async () => {
  const { owner } = await server().organization()
  const queue = await owner.register({ event_types: ['update_message'] })
  const id = await owner.sendTo([owner.id], 'Message')
  for (let count = 0; count < MANY_EVENTS; count += 1)
    await owner.call('PATCH', `/messages/${id}`, { content: `Now ${count}` })
  const answers = await pollAgain(queue, async () =>
    changeStoredEvents(
      `update events set payload = payload || jsonb_build_object('rendered_content', repeat('x', $1::int))
       where type = 'update_message'`,
      LARGE_CHARACTERS,
    ),
  )
  expectBoundedAnswers(answers)
  expect(answers.flat().map(({ content }) => content)).toEqual(
    Array.from({ length: MANY_EVENTS }, (_, count) => `Now ${count}`),
  )
})

it('reads large changes from the log in portions that exceed a fixed size by at most one row', async () => {
  const { owner, id: organizationId } = await server().organization()
  const id = await owner.sendTo([owner.id], 'Message')
  for (let count = 0; count < 10; count += 1) await owner.call('PATCH', `/messages/${id}`, { content: `Now ${count}` })
  await changeStoredEvents(
    `update events set payload = payload || jsonb_build_object('rendered_content', repeat('x', $1::int))
     where type = 'update_message'`,
    LARGE_CHARACTERS,
  )
  const { position } = (await server().parley.logs.of(organizationId)).organization
  const lengths: number[] = []
  for (let after = id; after < position;) {
    const rows = await readLog(server().parley.database.reads, organizationId, after, position)
    if (rows === 'pruned' || rows.length === 0) throw new Error('there is more')
    lengths.push(rows.filter(({ type }) => type === 'update_message').length)
    after = rows.at(-1)?.position ?? position
  }
  expect(Math.max(...lengths)).toBe(Math.ceil(MAX_READ_BYTES / LARGE_CHARACTERS))
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(10)
})
