import { expect, it, vi } from 'vitest'
import type { Body, TestUser } from '../server/src/testing/user.ts'
import { importExport, createZip, type ConvertedOrganization } from './moving/converted.ts'
import { FILES, REALM_TABLES, START_TIME } from './moving/harbour.ts'
import { useMovingServer } from './moving/moved.ts'

/* Imports the previous locations of moved messages from a Zulip export. All content is invented. */

vi.setConfig({ testTimeout: 300_000 })

useMovingServer()

const [OLGA, KIM] = [11, 13]
const [PLANS, BOARD, NEWS, NOT_THERE] = [21, 22, 23, 404]
const [TO_PLANS, TO_NEWS, TO_KIM] = [31, 33, 41]

const message = (id: number, recipient: number, subject: string, history: readonly object[]): object => ({
  id,
  sender: OLGA,
  recipient,
  subject,
  content: `Message ${id}`,
  date_sent: START_TIME + id,
  edit_history: JSON.stringify(history),
})

const MESSAGES = [
  message(101, TO_NEWS, 'third', [
    { user_id: KIM, timestamp: START_TIME + 900, prev_topic: 'second', topic: 'third' },
    { user_id: OLGA, timestamp: START_TIME + 800, prev_content: 'Text 2' },
    {
      user_id: OLGA,
      timestamp: START_TIME + 700,
      prev_stream: PLANS,
      stream: NEWS,
      prev_topic: 'first',
      topic: 'second',
      prev_content: 'Text 1',
      prev_rendered_content: '<img src=x onerror=alert(1)>',
    },
  ]),
  message(102, TO_NEWS, 'open', [
    { user_id: OLGA, timestamp: START_TIME + 900, prev_stream: BOARD, stream: NEWS, prev_topic: 'shut', topic: 'open' },
    { user_id: OLGA, timestamp: START_TIME + 800, prev_topic: 'secret', topic: 'shut' },
  ]),
  message(103, TO_NEWS, 'here', [
    { user_id: OLGA, timestamp: START_TIME + 900, prev_topic: 'there', topic: 'here' },
    { user_id: OLGA, timestamp: START_TIME + 800, prev_stream: NOT_THERE, stream: NEWS, prev_topic: 'unknown' },
    { user_id: OLGA, timestamp: START_TIME + 700, prev_topic: 'more unknown', prev_content: 'Text 1' },
  ]),
  message(104, TO_PLANS, 'x'.repeat(80), [{ user_id: 999, timestamp: START_TIME + 50, prev_subject: 'y'.repeat(80) }]),
  message(
    105,
    TO_PLANS,
    'topic 0',
    Array.from({ length: 150 }, (_, index) => ({
      user_id: KIM,
      timestamp: START_TIME + 900 - index,
      prev_topic: `topic ${index + 1}`,
    })),
  ),
  message(108, TO_NEWS, 'topic 0', [
    ...Array.from({ length: 100 }, (_, index) => ({
      user_id: KIM,
      timestamp: START_TIME + 900 - index,
      prev_topic: `topic ${index + 1}`,
    })),
    {
      user_id: OLGA,
      timestamp: START_TIME + 700,
      prev_stream: BOARD,
      stream: NEWS,
      prev_topic: 'shut',
      topic: 'topic 100',
    },
    { user_id: OLGA, timestamp: START_TIME + 600, prev_topic: 'secret', topic: 'shut' },
  ]),
  message(106, TO_KIM, '', [{ user_id: OLGA, timestamp: START_TIME + 900, prev_topic: 'nowhere', topic: 'somewhere' }]),
  message(107, TO_PLANS, 'odd', [
    { user_id: OLGA, timestamp: START_TIME + 900, prev_topic: 7, prev_stream: 'x' },
    { timestamp: 'late' },
  ]),
]

const EXPORT_FILES = {
  ...FILES,
  'realm.json': {
    ...REALM_TABLES,
    // Everyone can see the edit history.
    zerver_realm: [{ id: 7, name: 'Harbour' }],
    zerver_recipient: [...REALM_TABLES.zerver_recipient, { id: TO_KIM, type: 1, type_id: KIM }],
  },
  'messages-000001.json': { zerver_message: MESSAGES },
}

/** A message's edit history as shown to a user, newest first. */
async function editHistoryOf(made: ConvertedOrganization, there: number, user: TestUser) {
  const { message: told } = await user.call('GET', `/messages/${made.ids.get(`message ${there}`) ?? 0}`, {
    allow_empty_topic_name: true,
  })
  const { edit_history, last_edit_timestamp, last_moved_timestamp } = told
  return { edit_history, last_edit_timestamp, last_moved_timestamp }
}

it('imports where messages were moved from and who moved them', async () => {
  const made = await importExport('zulip', await createZip(EXPORT_FILES))
  const [olga, kim] = [await made.user('11'), await made.user('13')]
  const [plans, news] = [made.ids.get('channel 21'), made.ids.get('channel 23')]
  const text = (prev_content: string): Body => ({ prev_content, prev_rendered_content: `<p>${prev_content}</p>` })
  expect(await editHistoryOf(made, 101, kim)).toEqual({
    edit_history: [
      { user_id: kim.id, timestamp: START_TIME + 900, prev_topic: 'second', topic: 'third' },
      { user_id: olga.id, timestamp: START_TIME + 800, ...text('Text 2') },
      {
        user_id: olga.id,
        timestamp: START_TIME + 700,
        prev_topic: 'first',
        topic: 'second',
        prev_stream: plans,
        stream: news,
        ...text('Text 1'),
      },
    ],
    last_edit_timestamp: START_TIME + 800,
    last_moved_timestamp: START_TIME + 900,
  })
  const id = made.ids.get('message 101') ?? 0
  const { message_history: states } = await kim.call('GET', `/messages/${id}/history`)
  expect(states.map(({ topic, content }) => [topic, content])).toEqual([
    ['first', 'Text 1'],
    ['second', 'Text 2'],
    ['second', 'Message 101'],
    ['third', 'Message 101'],
  ])
})

it("hides a message's earlier channel and topic from people without access to that channel", async () => {
  const made = await importExport('zulip', await createZip(EXPORT_FILES))
  const [olga, kim] = [await made.user('11'), await made.user('13')]
  const news = made.ids.get('channel 23')
  const { edit_history: whole } = await editHistoryOf(made, 102, olga)
  expect(whole).toEqual([
    {
      user_id: olga.id,
      timestamp: START_TIME + 900,
      prev_stream: made.ids.get('channel 22'),
      stream: news,
      prev_topic: 'shut',
      topic: 'open',
    },
    { user_id: olga.id, timestamp: START_TIME + 800, prev_topic: 'secret', topic: 'shut' },
  ])
  const { edit_history: shown } = await editHistoryOf(made, 102, kim)
  expect(shown).toEqual([{ user_id: olga.id, timestamp: START_TIME + 900, stream: news, topic: 'open' }])
  // The permissions of a channel that is not in the export are unknown, so the history does not reveal the channel.
  const { edit_history: known } = await editHistoryOf(made, 103, olga)
  expect(known).toEqual([
    { user_id: olga.id, timestamp: START_TIME + 900, prev_topic: 'there', topic: 'here' },
    expect.objectContaining({ timestamp: START_TIME + 700, prev_content: 'Text 1' }),
  ])
  expect(JSON.stringify([known, shown])).not.toMatch(/unknown|shut|secret/)
})

it('skips moves that are invalid or predate the message, and truncates long edit histories', async () => {
  const made = await importExport('zulip', await createZip(EXPORT_FILES))
  const [olga, kim] = [await made.user('11'), await made.user('13')]
  const { edit_history: old } = await editHistoryOf(made, 104, kim)
  // Skips moves from before the message was sent, and moves by people who are not in the export.
  expect(old).toEqual([
    { user_id: olga.id, timestamp: START_TIME + 104, prev_topic: `${'y'.repeat(59)}…`, topic: `${'x'.repeat(59)}…` },
  ])
  const { edit_history: many } = await editHistoryOf(made, 105, kim)
  const topics = many?.map((edit) => edit.prev_topic)
  expect(topics).toEqual(Array.from({ length: 100 }, (_, index) => `topic ${index + 1}`))
  expect(JSON.stringify(await editHistoryOf(made, 108, kim))).not.toMatch(/shut|secret/)
  expect(await editHistoryOf(made, 106, kim)).toEqual({})
  expect(await editHistoryOf(made, 107, kim)).toEqual({})
  expect(Object.fromEntries(made.leftOut)).toMatchObject({
    'messages moved from places missing from the export: the earlier places are not shown': 2,
    'edit history over the limit per message': 2,
    'rows in an unknown format (edit_history)': 1,
  })
  expect(made.told.carried.find(({ what }) => what === 'moved messages')?.count).toBe(6)
})
