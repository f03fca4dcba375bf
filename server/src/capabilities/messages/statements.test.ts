import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import { statementsDuring } from '../../testing/statements.ts'
import type { TestUser } from '../../testing/user.ts'
import { channelByName } from '../channels/queries/index.ts'
import { sendBatch } from './actions/send/send.ts'
import type { OutgoingMessage } from './actions/send/outgoing.ts'

const server = useTestServer()

async function statementsOf(action: () => Promise<unknown>): Promise<string[]> {
  return statementsDuring(server().database, action)
}

const ONE_INSERT_STATEMENT = [expect.stringContaining('insert into messages')]

async function createTestUsers(): Promise<{ organizationId: number; ann: TestUser; ben: TestUser; owner: TestUser }> {
  const { id, owner, user } = await server().organization()
  const [ann, ben] = [await user('Ann'), await user('Ben')]
  for (const one of [owner, ann, ben]) await one.subscribe(['general'])
  await ben.send('general', 'talk', 'The first')
  return { organizationId: id, ann, ben, owner }
}

it('runs one database statement to send and deliver a message', async () => {
  const { ann, ben } = await createTestUsers()
  const queue = await ann.register()
  const statements = await statementsOf(async () => {
    await ben.send('general', 'talk', 'Words')
    expect(await queue.events()).toMatchObject([{ type: 'message', message: { content: '<p>Words</p>' } }])
  })
  expect(statements).toEqual(ONE_INSERT_STATEMENT)
})

it.each([
  ['has markup', '* **bold**, `code`, https://example.com and :tada:\n* a [link](https://example.com/a)'],
  ['mentions a person who then follows the topic', '@**Olivia Owner** look'],
  ['mentions everyone', '@**all** look'],
  ['has an alert word', 'the deploy is done'],
])('runs one database statement for a message that %s', async (_, content) => {
  const { ann, ben, owner } = await createTestUsers()
  await ann.call('POST', '/users/me/alert_words', { alert_words: ['deploy'] })
  await owner.call('PATCH', '/settings', { automatically_follow_topics_where_mentioned: true })
  expect(await statementsOf(() => ben.send('general', 'talk', content))).toEqual(ONE_INSERT_STATEMENT)
})

it('runs one database statement for a mention of a person who follows the topic', async () => {
  const { ben } = await createTestUsers()
  await ben.send('general', 'talk', '@**Olivia Owner** look')
  expect(await statementsOf(() => ben.send('general', 'talk', '@**Olivia Owner** look'))).toEqual(ONE_INSERT_STATEMENT)
})

it('runs one database statement to send a message with a local ID, and one if the request is repeated', async () => {
  const { ben } = await createTestUsers()
  const { id: queueId } = await ben.register()
  const message = { type: 'channel', to: 'general', topic: 'talk', content: 'Once', queue_id: queueId, local_id: '1' }
  expect(await statementsOf(() => ben.call('POST', '/messages', message))).toEqual(ONE_INSERT_STATEMENT)
  expect(await statementsOf(() => ben.call('POST', '/messages', message))).toEqual(ONE_INSERT_STATEMENT)
})

it('runs one database statement for a message in an existing conversation', async () => {
  const { ann, ben } = await createTestUsers()
  const message = { type: 'direct', to: [ann.id], content: 'Hello' }
  await ben.call('POST', '/messages', message)
  expect(await statementsOf(() => ben.call('POST', '/messages', message))).toEqual(ONE_INSERT_STATEMENT)
})

it('runs one database statement for a reply from a person who cannot start conversations', async () => {
  const { ann, ben, owner } = await createTestUsers()
  await ann.sendTo([ben.id], 'Hello')
  await owner.call('PATCH', '/realm', {
    direct_message_initiator_group: { new: { direct_members: [], direct_subgroups: [] } },
  })
  expect(await statementsOf(() => ben.sendTo([ann.id], 'Hello'))).toEqual(ONE_INSERT_STATEMENT)
})

it('runs one database statement for a message to a topic of protected history in any spelling', async () => {
  const { ann, ben } = await createTestUsers()
  await ben.subscribe(['club'], {
    invite_only: true,
    history_public_to_subscribers: false,
    principals: [ann.id, ben.id],
  })
  await ben.send('club', 'Plans', 'The first')
  expect(await statementsOf(() => ann.send('club', 'PLANS', 'Words'))).toEqual(ONE_INSERT_STATEMENT)
})

it('runs one database statement for a message with a widget', async () => {
  const { ben } = await createTestUsers()
  const widget_content = JSON.stringify({ widget_type: 'poll' })
  const message = { type: 'channel', to: 'general', topic: 'talk', content: 'Lunch?', widget_content }
  expect(await statementsOf(() => ben.call('POST', '/messages', message))).toEqual(ONE_INSERT_STATEMENT)
})

it('runs one database statement for all messages of a batch', async () => {
  const { organizationId, ben } = await createTestUsers()
  const log = await server().parley.logs.of(organizationId)
  const channelId = channelByName(log.organization, 'general')?.id ?? null
  const message: OutgoingMessage = {
    channelId,
    topic: 'talk',
    conversation: null,
    audience: { channel: channelId ?? 0 },
    content: 'Together',
    renderedContent: '<p>Together</p>',
    facts: {
      mentionedUserIds: [],
      mentionedGroupIds: [],
      mentionsChannel: false,
      topicParticipantIds: [],
      alertedUserIds: [],
      linksOutside: false,
    },
    uploadIds: [],
    previewable: [],
    senderId: ben.id,
    client: 'test',
    readBySender: false,
    queueId: null,
    localId: null,
    key: null,
    widget: null,
  }
  const sendAll = (): Promise<unknown> => Promise.all(Array.from({ length: 100 }, () => log.batch(sendBatch, message)))
  expect(await statementsOf(sendAll)).toEqual(ONE_INSERT_STATEMENT)
})
