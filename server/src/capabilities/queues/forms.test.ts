import { expect, it } from 'vitest'
import { packLists } from '../../kernel/packing-rows.ts'
import { listWith } from '../../testing/expected.ts'
import { useTestServer } from '../../testing/server.ts'
import { parseObject } from '../../testing/json.ts'
import { ALL_CAPABILITIES, basic, exchangeHttp } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer()

function topicsIn(value: unknown): [string, unknown][] {
  if (Array.isArray(value)) return value.flatMap(topicsIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]): [string, unknown][] =>
    typeof member === 'string' && ['topic', 'topic_name', 'subject', 'orig_subject'].includes(name)
      ? [[name, member]]
      : topicsIn(member),
  )
}

it('sends older clients a name for the empty topic in every event and in the initial state', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['news'], { principals: [owner.id, ann.id] })
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'news' })
  const older = { client_capabilities: { ...ALL_CAPABILITIES, empty_topic_name: false } }
  const [modern, old] = [await watch({ ann }), await watch({ ann }, older)]
  const place = { type: 'stream', stream_id, topic: '' }
  const id = await owner.send('news', '', 'one')
  await owner.call('PATCH', `/messages/${id}`, { topic: 'named', send_notification_to_new_thread: false })
  await owner.call('PATCH', `/messages/${id}`, { topic: '', send_notification_to_new_thread: false })
  await owner.call('PATCH', `/messages/${id}`, { content: 'two' })
  await ann.call('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' })
  await ann.call('POST', '/messages/flags', { messages: [id], op: 'remove', flag: 'read' })
  await ann.call('POST', '/user_topics', { stream_id, topic: '', visibility_policy: 3 })
  await ann.call('POST', '/scheduled_messages', {
    type: 'stream',
    to: stream_id,
    topic: '',
    content: 'later',
    scheduled_delivery_timestamp: 4_000_000_000,
  })
  await owner.call('POST', '/typing', { ...place, op: 'start' })
  await owner.call('POST', `/messages/${id}/typing`, { op: 'start' })
  const states = [(await ann.register()).state, (await ann.register(older)).state].map(topicsIn)
  await owner.call('DELETE', `/messages/${id}`)
  const told = (await modern()).ann.map((event): [unknown, [string, unknown][]] => [event['type'], topicsIn(event)])
  // Each of these event types contains a topic.
  expect(new Map(told.filter(([, topics]) => topics.some(([, topic]) => topic === '')))).toEqual(
    new Map([
      ['message', [['subject', '']]],
      ['update_message', listWith([['subject', '']])],
      ['update_message_flags', [['topic', '']]],
      ['user_topic', [['topic_name', '']]],
      ['scheduled_messages', [['topic', '']]],
      ['typing', [['topic', '']]],
      ['typing_edit_message', [['topic', '']]],
      ['delete_message', [['topic', '']]],
    ]),
  )
  const named = ([name, topic]: [string, unknown]): [string, unknown] => [name, topic === '' ? 'general chat' : topic]
  expect((await old()).ann.map((event) => [event['type'], topicsIn(event)])).toEqual(
    told.map(([type, topics]) => [type, topics.map(named)]),
  )
  const [known = [], shown = []] = states
  expect(known.filter(([, topic]) => topic === '').map(([name]) => name)).toEqual(
    expect.arrayContaining(['topic', 'topic_name']),
  )
  expect(shown).toEqual(known.map(named))
})

it('packs the lists of people, groups, and channels only for clients that support packed lists', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['news', 'ideas'], { principals: [owner.id, ann.id] })
  const registerAs = async (packed_lists: boolean) => {
    const client_capabilities = JSON.stringify({ ...ALL_CAPABILITIES, packed_lists })
    const fetch_event_types = JSON.stringify(['realm_user', 'realm_user_groups', 'stream'])
    const { text } = await exchangeHttp(
      `${ann.url}/api/v1/register`,
      'POST',
      {
        host: ann.host,
        authorization: basic(ann.email, ann.apiKey),
        'content-type': 'application/x-www-form-urlencoded',
      },
      new URLSearchParams({ client_capabilities, fetch_event_types }).toString(),
    )
    const { realm_users, realm_non_active_users, realm_user_groups, streams } = parseObject(text)
    return { realm_users, realm_non_active_users, realm_user_groups, streams }
  }
  const plain = await registerAs(false)
  expect(plain.realm_users).toHaveLength(2)
  expect(await registerAs(true)).toEqual(packLists(plain))
  expect(await registerAs(false)).toEqual(plain)
})
