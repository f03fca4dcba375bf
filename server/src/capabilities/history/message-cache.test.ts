import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, startTestServerOn, type TestServer } from '../../testing/server.ts'
import { ROLE } from '../../kernel/actor.ts'
import { statementsDuring } from '../../testing/statements.ts'
import { TestUser, type Body } from '../../testing/user.ts'

/* Compares a server with a warm cache and a server that just started. */

let server: TestServer
let other: TestServer

beforeAll(async () => {
  server = await startTestServer({}, { shared: true })
  other = await startTestServerOn(server.database, {}, { shared: true })
})

afterAll(async () => {
  await other.close()
  await server.close()
})

const userAt = ({ parley }: TestServer, user: TestUser): TestUser =>
  new TestUser(parley.url, user.host, user.email, user.apiKey, user.id)

const CLIENT_FORMS: readonly Body[] = [
  {},
  { apply_markdown: false, allow_empty_topic_name: true, client_gravatar: false },
  { narrow: [{ operator: 'search', operand: 'word' }] },
]

async function messagesShownTo(users: readonly TestUser[]): Promise<unknown[]> {
  const asked = users.flatMap((user) => CLIENT_FORMS.map((form) => ({ user, form })))
  return Promise.all(
    asked.map(async ({ user, form }) =>
      user.call('GET', '/messages', { anchor: 'newest', num_before: 100, num_after: 0, ...form }),
    ),
  )
}

it('shows cached messages in their current state on every server after any change', async () => {
  const { owner, user } = await server.organization()
  const ann = await user('Ann')
  const gus = await user('Gus', { role: ROLE.guest })
  const everybody = [owner, ann, gus]
  await owner.subscribe(['news', 'work'], { principals: everybody.map(({ id }) => id) })
  await owner.subscribe(['quiet'], { principals: [owner.id, ann.id] })
  const { streams } = await owner.call('GET', '/streams')
  const idOf = (name: string): unknown => streams.find((stream) => stream['name'] === name)?.['stream_id']
  const sent: number[] = []
  for (const topic of ['one', 'one', 'two', '']) sent.push(await ann.send('news', topic, `A *word* in ${topic}`))
  sent.push(await ann.send('work', 'https://example.com', 'A word, @**Gus**'), await ann.sendTo([owner.id], 'A word'))
  const [first, second, third, empty, linked, direct] = sent

  const move = (id: number | undefined, to: Body) => async () =>
    owner.call('PATCH', `/messages/${id}`, { send_notification_to_new_thread: false, ...to })
  const steps: Record<string, () => Promise<unknown>> = {
    'an edit': async () => ann.call('PATCH', `/messages/${first}`, { content: 'Another word' }),
    'a reaction': async () => ann.call('POST', `/messages/${first}/reactions`, { emoji_name: 'tada' }),
    'a second reaction': async () => owner.call('POST', `/messages/${first}/reactions`, { emoji_name: 'tada' }),
    'a reaction less': async () => ann.call('DELETE', `/messages/${first}/reactions`, { emoji_name: 'tada' }),
    'a renamed topic': move(second, { topic: 'ONE', propagate_mode: 'change_all' }),
    'a message that joins a topic': move(third, { topic: 'one', propagate_mode: 'change_one' }),
    'a topic that went elsewhere': move(second, { stream_id: idOf('work'), propagate_mode: 'change_all' }),
    'a message where not everybody reads': move(empty, { stream_id: idOf('quiet'), propagate_mode: 'change_one' }),
    'a message that came back': move(empty, { stream_id: idOf('news'), topic: 'back', propagate_mode: 'change_one' }),
    'a star': async () => gus.call('POST', '/messages/flags', { messages: [linked], op: 'add', flag: 'starred' }),
    'a linkifier': async () =>
      owner.call('POST', '/realm/filters', { pattern: 'on(?P<id>e)', url_template: 'https://example.com/{id}' }),
    'another name': async () => ann.call('PATCH', '/settings', { full_name: 'Anna' }),
    'a renamed channel': async () => owner.call('PATCH', `/streams/${String(idOf('news'))}`, { new_name: 'old news' }),
    'no history of edits': async () =>
      owner.call('PATCH', '/realm', { message_edit_history_visibility_policy: 'none' }),
    'a deleted message': async () => owner.call('DELETE', `/messages/${third}`),
    'a deleted direct message': async () => owner.call('DELETE', `/messages/${direct}`),
    'what was read': async () => owner.call('POST', '/mark_all_as_read'),
  }
  for (const [name, step] of Object.entries(steps)) {
    await messagesShownTo([...everybody, ...everybody.map((one) => userAt(other, one))])
    await step()
    const shown = await messagesShownTo(everybody)
    const elsewhere = await messagesShownTo(everybody.map((one) => userAt(other, one)))
    const fresh = await startTestServerOn(server.database, {}, { shared: true })
    try {
      const expected = await messagesShownTo(everybody.map((one) => userAt(fresh, one)))
      expect({ name, shown, elsewhere }).toEqual({ name, shown: expected, elsewhere: expected })
    } finally {
      await fresh.close()
    }
  }
})

it('shows concurrent readers the same messages, but each reader their own flags', async () => {
  const { owner, user } = await server.organization()
  const people = [owner, ...(await Promise.all(Array.from({ length: 8 }, async (_, index) => user(`User ${index}`))))]
  await owner.subscribe(['news'], { principals: people.map(({ id }) => id) })
  const ids: number[] = []
  for (let count = 0; count < 20; count += 1)
    ids.push(await owner.send('news', `topic ${count % 3}`, `Number ${count}`))
  const marked = people.map((one, index) => ({ one, starred: [ids[index]], read: [ids[index + 5], ids[index + 6]] }))
  for (const { one, starred, read } of marked) {
    await one.call('POST', '/messages/flags', { messages: starred, op: 'add', flag: 'starred' })
    await one.call('POST', '/messages/flags', { messages: read, op: 'add', flag: 'read' })
  }
  const fresh = await startTestServerOn(server.database, {}, { shared: true })
  try {
    const newest = { anchor: 'newest', num_before: 100, num_after: 0 }
    const answers = await Promise.all(
      marked.map(async ({ one }) => userAt(fresh, one).call('GET', '/messages', newest)),
    )
    for (const [index, { starred, read }] of marked.entries()) {
      const messages = answers[index]?.messages ?? []
      const flagged = (flag: string): number[] =>
        messages.filter(({ flags }) => flags.includes(flag)).map(({ id }) => id)
      expect(messages.map(({ id }) => id)).toEqual(ids)
      expect({ starred: flagged('starred'), read: flagged('read') }).toEqual({ starred, read })
    }
  } finally {
    await fresh.close()
  }
})

it('limits the message cache and keeps the most recently read messages', async () => {
  const { owner } = await server.organization()
  await owner.subscribe(['news'])
  // With its HTML and JSON, each message takes 30,000 of the cache's 8,000,000 characters.
  const text = 'word '.repeat(1_999)
  const ids = await Promise.all(
    Array.from({ length: 300 }, async (_, index) => owner.send('news', 'long', text + index)),
  )
  const isReadFromDatabase = async (id: number | undefined): Promise<boolean> => {
    const asked = await statementsDuring(server.database, async () => {
      await owner.call('GET', `/messages/${id}`)
    })
    return asked.some((statement) => statement.includes('m.rendered_content'))
  }
  const first = Math.min(...ids)
  expect([await isReadFromDatabase(first), await isReadFromDatabase(first)]).toEqual([true, false])
  await owner.call('GET', '/messages', { anchor: 'oldest', num_before: 0, num_after: 400 })
  expect(await isReadFromDatabase(Math.max(...ids))).toBe(false)
  let read = 0
  for (const id of ids) if (await isReadFromDatabase(id)) read += 1
  expect(read).toBeGreaterThan(ids.length - 8_000_000 / 30_000)
})
