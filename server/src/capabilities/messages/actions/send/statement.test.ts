import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { upload } from '../../../../testing/files.ts'
import { useTestServer } from '../../../../testing/server.ts'
import { namedStatementsDuring } from '../../../../testing/statements.ts'
import type { TestUser } from '../../../../testing/user.ts'
import { numberParameters } from '../../../../platform/db/parameters.ts'
import { POST_PARTS, SEND_PARTS } from './parts/index.ts'
import { postingSql, sendingSql, sendingStatement } from './statement.ts'

/* The SQL of each combination of parts is stored beside this test for review. A new part needs an entry below. */
const STATEMENTS = join(import.meta.dirname, 'statements')

const server = useTestServer()

/** A channel with a topic, a channel with protected history, and a conversation in which Ben can only reply. */
interface TestChannels {
  readonly ann: TestUser
  readonly ben: TestUser
  readonly owner: TestUser
  readonly queueId: string
  readonly file: string
}

async function createTestChannels(): Promise<TestChannels> {
  const { owner, user } = await server().organization()
  const [ann, ben] = [await user('Ann'), await user('Ben')]
  for (const one of [owner, ann, ben]) await one.subscribe(['general'])
  await ann.subscribe(['club'], {
    invite_only: true,
    history_public_to_subscribers: false,
    principals: [ann.id, ben.id],
  })
  await owner.subscribe(['slow'], { principals: [owner.id, ann.id, ben.id] })
  const { stream_id: slow } = await owner.call('GET', '/get_stream_id', { stream: 'slow' })
  await owner.call('PATCH', `/streams/${slow}/slow_mode`, { seconds: 10 })
  await ann.send('general', 'talk', 'The first')
  await ann.send('club', 'Plans', 'The first')
  await ann.sendTo([ben.id], 'The first')
  await owner.call('PATCH', '/settings', { automatically_follow_topics_where_mentioned: true })
  await owner.call('PATCH', '/realm', {
    direct_message_initiator_group: { new: { direct_members: [ann.id], direct_subgroups: [] } },
  })
  const { id: queueId } = await ben.register()
  return { ann, ben, owner, queueId, file: await upload(ann, 'note.txt', 'Hello') }
}

const POLL = JSON.stringify({ widget_type: 'poll' })
const UNREAD_BY_SENDER = { read_by_sender: false }

const TEST_SENDS: readonly (readonly [name: string, send: (talk: TestChannels) => Promise<unknown>])[] = [
  [
    'a message from a program, unread by its sender',
    ({ ann }) => ann.send('general', 'talk', 'Hello', UNREAD_BY_SENDER),
  ],
  ['a message that starts a topic', ({ ann }) => ann.send('general', 'new', 'Hello', UNREAD_BY_SENDER)],
  ['a message from a person', ({ ann }) => ann.send('general', 'talk', 'Hello', { read_by_sender: true })],
  [
    'a message that mentions a user',
    ({ ann, ben }) => ann.send('general', 'talk', `@**Ben|${ben.id}**`, UNREAD_BY_SENDER),
  ],
  [
    'a message that makes a user follow the topic',
    ({ ann }) => ann.send('general', 'talk', '@**Olivia Owner**', UNREAD_BY_SENDER),
  ],
  [
    'a message that mentions a follower of the topic',
    ({ ann }) => ann.send('general', 'talk', '@**Olivia Owner**', UNREAD_BY_SENDER),
  ],
  ['a message that links an upload', ({ ann, file }) => ann.send('general', 'talk', `[](${file})`, UNREAD_BY_SENDER)],
  [
    'a message with a widget',
    ({ ann }) => ann.send('general', 'talk', 'Poll', { widget_content: POLL, ...UNREAD_BY_SENDER }),
  ],
  ['a message in protected history', ({ ben }) => ben.send('club', 'PLANS', 'Hello', UNREAD_BY_SENDER)],
  ['a direct message', ({ ann, ben }) => ann.sendTo([ben.id], 'Hello', UNREAD_BY_SENDER)],
  ['a direct message from a person', ({ ann, ben }) => ann.sendTo([ben.id], 'Hello', { read_by_sender: true })],
  [
    'a reply from a user who cannot start conversations',
    ({ ann, ben }) => ben.sendTo([ann.id], 'Hello', UNREAD_BY_SENDER),
  ],
  [
    'a message with a local ID',
    ({ ben, queueId }) =>
      ben.send('general', 'talk', 'Hello', { queue_id: queueId, local_id: '1', ...UNREAD_BY_SENDER }),
  ],
  [
    'a repeated message with a local ID',
    ({ ben, queueId }) =>
      ben.send('general', 'talk', 'Hello', { queue_id: queueId, local_id: '1', ...UNREAD_BY_SENDER }),
  ],
  [
    'a message in slow mode, with a local ID',
    ({ ben, queueId }) => ben.send('slow', 'talk', 'Hello', { queue_id: queueId, local_id: '5', read_by_sender: true }),
  ],
  [
    'a message with an idempotency key',
    ({ ben }) => ben.send('general', 'talk', 'Hello', { idempotency_key: '1', ...UNREAD_BY_SENDER }),
  ],
  [
    'a repeated message with an idempotency key',
    ({ ben }) => ben.send('general', 'talk', 'Hello', { idempotency_key: '1', ...UNREAD_BY_SENDER }),
  ],
  [
    'a reply from a person, with an idempotency key and a local ID',
    ({ ann, ben, queueId }) =>
      ben.sendTo([ann.id], 'Hello', { queue_id: queueId, local_id: '4', idempotency_key: '2', read_by_sender: true }),
  ],
  [
    'a reply from a person, with a local ID',
    ({ ann, ben, queueId }) =>
      ben.sendTo([ann.id], 'Hello', { queue_id: queueId, local_id: '2', read_by_sender: true }),
  ],
  [
    'a message in protected history from a person, with a widget and a local ID',
    ({ ben, queueId }) =>
      ben.send('club', 'talk', '@**Olivia Owner**', {
        queue_id: queueId,
        local_id: '3',
        widget_content: POLL,
        read_by_sender: true,
      }),
  ],
]

it('sends each kind of message with a single SQL statement that contains only the parts needed', async () => {
  const given = await createTestChannels()
  const sends = new Map<string, string[]>()
  for (const [what, send] of TEST_SENDS) {
    const statements = await namedStatementsDuring(server().database, () => send(given))
    const [statement] = statements.filter(({ name }) => name?.startsWith('send') === true)
    const name = statement?.name ?? ''
    expect({ ...sendingStatement(partsNamed(name)), parameters: undefined, what }).toEqual({
      name,
      text: statement?.text,
      parameters: undefined,
      what,
    })
    sends.set(name, [...(sends.get(name) ?? []), what])
  }
  for (const [name, whats] of sends) {
    const text = `${whats.map((what) => `-- ${what}\n`).join('')}${sendingSql(partsNamed(name))}\n`
    await expect(text).toMatchFileSnapshot(join(STATEMENTS, `${name}.sql`))
  }
  expect(readdirSync(STATEMENTS).toSorted()).toEqual([...sends.keys(), 'post'].map((name) => `${name}.sql`).toSorted())
  expect(SEND_PARTS.filter((part) => ![...sends.keys()].some((name) => partsNamed(name).includes(part)))).toEqual([])
})

it('posts the notice of a moved message with a single SQL statement', async () => {
  const { ann } = await createTestChannels()
  const id = await ann.send('general', 'old', 'Hello')
  const statements = await namedStatementsDuring(server().database, () =>
    ann.call('PATCH', `/messages/${id}`, { topic: 'new', send_notification_to_new_thread: true }),
  )
  const sql = postingSql(POST_PARTS)
  expect(statements.map(({ text }) => text)).toContain(numberParameters(sql).text)
  await expect(`-- a notice\n${sql}\n`).toMatchFileSnapshot(join(STATEMENTS, 'post.sql'))
})

it('gives each combination of optional parts of the send statement a unique name of at most 63 characters', () => {
  const optional = SEND_PARTS.filter((part) => part.isNeeded !== undefined)
  const names = new Set<string>()
  for (let chosen = 0; chosen < 2 ** optional.length; chosen += 1) {
    const parts = SEND_PARTS.filter(
      (part) => !optional.includes(part) || ((chosen >> optional.indexOf(part)) & 1) === 1,
    )
    names.add(sendingStatement(parts).name.slice(0, 63))
  }
  expect(names.size).toBe(2 ** optional.length)
})

function partsNamed(name: string): (typeof SEND_PARTS)[number][] {
  const words = name.split('_')
  return SEND_PARTS.filter((part) => part.isNeeded === undefined || words.includes(part.name))
}
