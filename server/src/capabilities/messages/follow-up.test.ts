import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { makeDue, FAR_FUTURE_SECONDS } from '../../testing/age.ts'
import { upload } from '../../testing/files.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'

const server = useTestServer({ PARLEY_LOG_LEVEL: 'silent' })

const WAIT_OPTIONS = { timeout: 20_000, interval: 20 }

interface Scene extends TestOrganization {
  readonly mia: TestUser
  readonly general: number
}

async function createScene(): Promise<Scene> {
  const organization = await server().organization()
  const mia = await organization.user('Mia')
  await organization.owner.subscribe(['general'], { principals: [organization.owner.id, mia.id] })
  const { stream_id } = await mia.call('GET', '/get_stream_id', { stream: 'general' })
  await mia.call('PATCH', '/settings', { automatically_follow_topics_where_mentioned: true })
  await mia.call('POST', '/user_topics', { stream_id, topic: 'talk', visibility_policy: 1 })
  return { ...organization, mia, general: stream_id }
}

async function topicPoliciesOf(user: TestUser): Promise<unknown[]> {
  const { state } = await user.register({ fetch_event_types: ['user_topic'] })
  return state['user_topics'].map(({ topic_name, visibility_policy }) => [topic_name, visibility_policy])
}

async function runSql(...statements: string[]): Promise<void> {
  const client = new pg.Client(server().database)
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

const CREATE_FAILING_FUNCTION = `create function fail_here() returns trigger language plpgsql as $$ begin raise 'the test says so'; end $$`

it('updates topic policies and the first message ID as soon as a message is sent', async () => {
  const { owner, mia } = await createScene()
  const url = await upload(owner, 'a.txt', 'A file')
  const parameters = { type: 'stream', to: 'general', topic: 'talk', content: `@**Mia** see [this](${url})` }
  const { id, automatic_new_visibility_policy } = await owner.call('POST', '/messages', parameters)
  expect(automatic_new_visibility_policy).toBe(3)
  expect(await topicPoliciesOf(owner)).toEqual([['talk', 3]])
  expect(await topicPoliciesOf(mia)).toEqual([['talk', 3]])
  const { streams } = await owner.call('GET', '/streams')
  expect(streams).toMatchObject([{ name: 'general', first_message_id: id }])
})

it('sends no internal follow-up fields to clients', async () => {
  const { owner, mia, general } = await createScene()
  const queues = [await owner.register(), await mia.register({ apply_markdown: false })]
  const url = await upload(owner, 'a.txt', 'A file')
  await owner.call('PATCH', '/settings', { automatically_follow_topics_policy: 1 })
  await owner.send(general, 'talk', `@**Mia** see [this](${url})`)
  for (const queue of queues) {
    const messages = (await queue.events()).filter(({ type }) => type === 'message')
    expect(messages).toHaveLength(1)
    expect(JSON.stringify(messages)).not.toMatch(/"links"|takes_part|starts_topic|to_follow/)
  }
})

it('sends a message even if its follow-up fails, and retries the follow-up', async () => {
  const { owner } = await createScene()
  await runSql(
    CREATE_FAILING_FUNCTION,
    'create trigger failing before insert on user_topics execute function fail_here()',
  )
  const queue = await owner.register({ event_types: ['message', 'user_topic'] })
  const answer = await owner.call('POST', '/messages', {
    type: 'stream',
    to: 'general',
    topic: 'new',
    content: 'The first',
  })
  expect(Object.keys(answer).toSorted()).toEqual(['id', 'msg', 'result'])
  // This message is sent while the consumer is already failing.
  await owner.send('general', 'newer', 'The first there')
  await runSql('drop trigger failing on user_topics', 'drop function fail_here')
  const told: Body[] = []
  while (told.length < 4) told.push(...(await queue.next()))
  expect(told.map(({ type }) => type)).toEqual(['message', 'message', 'user_topic', 'user_topic'])
  expect(await topicPoliciesOf(owner)).toEqual([
    ['new', 3],
    ['newer', 3],
  ])
})

it('does no follow-up work for a message that needs none', async () => {
  const { owner, mia } = await createScene()
  await owner.send('general', 'talk', 'The first')
  const before = server().parley.consumers.reports()
  await owner.send('general', 'talk', 'The second')
  await mia.sendTo([owner.id], 'Psst')
  // Mia already follows the topic, so no follow-up work is needed, regardless of the settings.
  await owner.call('PATCH', '/settings', { automatically_follow_topics_policy: 1 })
  await owner.send('general', 'talk', 'The third')
  expect(server().parley.consumers.reports()).toEqual(before)
})

it('makes people whom a scheduled message mentions follow the topic of the message', async () => {
  const { id, owner, mia, general } = await createScene()
  const { scheduled_message_id } = await owner.call('POST', '/scheduled_messages', {
    type: 'channel',
    to: general,
    topic: 'talk',
    content: '@**Mia** look',
    scheduled_delivery_timestamp: FAR_FUTURE_SECONDS,
  })
  await makeDue(server().database, 'scheduled_messages', id, [scheduled_message_id])
  await vi.waitFor(async () => expect(await topicPoliciesOf(mia)).toEqual([['talk', 3]]), WAIT_OPTIONS)
})
