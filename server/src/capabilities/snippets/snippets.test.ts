import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import type { Answer } from '../../testing/user.ts'
import { STORED_CHARACTER_LIMIT, SNIPPET_LIMIT } from './contract.ts'

const server = useTestServer()

it('stores snippets and sends changes only to their owner', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const [own, others] = [await ann.register(), await owner.register()]
  const made = await ann.call('POST', '/saved_snippets', { title: ' Greeting ', content: 'Hello **there**' })
  const id = made['saved_snippet_id']
  await ann.call('PATCH', `/saved_snippets/${String(id)}`, { content: 'Hi' })
  const { saved_snippets } = await ann.call('GET', '/saved_snippets')
  expect(saved_snippets).toMatchObject([{ id, title: 'Greeting', content: 'Hi' }])
  expect((await ann.register()).state['saved_snippets']).toEqual(saved_snippets)
  // Unchanged values send no events.
  await ann.call('PATCH', `/saved_snippets/${String(id)}`, { title: 'Greeting' })
  await ann.call('DELETE', `/saved_snippets/${String(id)}`)
  expect(await own.events()).toMatchObject([
    { type: 'saved_snippets', op: 'add', saved_snippet: { id, title: 'Greeting', content: 'Hello **there**' } },
    { type: 'saved_snippets', op: 'update', saved_snippet: { id, content: 'Hi' } },
    { type: 'saved_snippets', op: 'remove', saved_snippet_id: id },
  ])
  expect(await others.events()).toEqual([])
  expect((await ann.call('GET', '/saved_snippets'))['saved_snippets']).toEqual([])
})

it("treats another person's snippet as missing", async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const made = await ann.call('POST', '/saved_snippets', { title: 'Mine', content: 'x' })
  for (const method of ['PATCH', 'DELETE']) {
    const hidden = await owner.try(method, `/saved_snippets/${String(made['saved_snippet_id'])}`, { title: 'Yours' })
    const absent = await owner.try(method, '/saved_snippets/999999', { title: 'Yours' })
    expect([hidden.status, hidden.body]).toEqual([400, absent.body])
  }
  expect((await ann.call('GET', '/saved_snippets'))['saved_snippets']).toMatchObject([{ title: 'Mine' }])
})

it('rejects empty and overlong snippets', async () => {
  const { owner } = await server().organization()
  const attempt = async (title: string, content: string): Promise<number> =>
    (await owner.try('POST', '/saved_snippets', { title, content })).status
  expect(await attempt('😀'.repeat(60), '😀'.repeat(10_000))).toBe(200)
  expect(await attempt('😀'.repeat(61), 'x')).toBe(400)
  expect(await attempt('x', '😀'.repeat(10_001))).toBe(400)
  expect(await attempt(' ', 'x')).toBe(400)
  expect(await attempt('x', ' ')).toBe(400)
  expect((await owner.call('GET', '/saved_snippets'))['saved_snippets']).toHaveLength(1)
})

it("limits the total length of a person's snippets", async () => {
  const { owner } = await server().organization()
  const save = (content: string): Promise<Answer> => owner.try('POST', '/saved_snippets', { title: 'Long', content })
  const most = STORED_CHARACTER_LIMIT.most / 10_000
  for (let count = 1; count < most; count += 1) expect((await save('x'.repeat(10_000))).status).toBe(200)
  const { saved_snippet_id } = await owner.call('POST', '/saved_snippets', { title: 'Short', content: 'x' })
  const queue = await owner.register()
  const { body } = await save('x'.repeat(10_000))
  expect(body).toMatchObject({ code: 'BAD_REQUEST', msg: 'You can have at most 1000000 characters of saved snippets.' })
  const path = `/saved_snippets/${String(saved_snippet_id)}`
  expect((await owner.try('PATCH', path, { content: 'x'.repeat(10_000) })).status).toBe(200)
  expect((await save('x')).status).toBe(400)
  expect((await owner.call('GET', '/saved_snippets'))['saved_snippets']).toHaveLength(most)
  expect(await queue.events()).toMatchObject([{ op: 'update', saved_snippet: { id: saved_snippet_id } }])
})

it('refuses more than 1,000 snippets per person', async () => {
  const { id, owner } = await server().organization()
  const save = (): Promise<Answer> => owner.try('POST', '/saved_snippets', { title: 'One', content: 'x' })
  expect((await save()).status).toBe(200)
  await server().parley.database.pool.query(
    `insert into saved_snippets select organization_id, user_id, id + 1000000 + n, title, content, date_created
     from saved_snippets, generate_series(1, $2::int) as n where organization_id = $1`,
    [id, SNIPPET_LIMIT.most - 2],
  )
  expect((await save()).status).toBe(200)
  expect((await save()).body).toMatchObject({ msg: 'You can have at most 1000 saved snippets.' })
})
