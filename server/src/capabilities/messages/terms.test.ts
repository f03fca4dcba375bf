import type pg from 'pg'
import { expect, it } from 'vitest'
import type { Db } from '../../kernel/transaction.ts'
import { searchTermsOf } from '../../kernel/search-terms.ts'
import { runJob } from '../../testing/jobs.ts'
import { useTestServer } from '../../testing/server.ts'
import type { TestUser } from '../../testing/user.ts'
import { LoadedOrganizationState } from '../../platform/log/organization-state.ts'
import { indexText, missingWords, rememberWords } from './actions/terms.ts'
import { indexMessages, indexTopics } from './jobs.ts'

const server = useTestServer()

function databasePool(): pg.Pool {
  return server().parley.database.pool
}

const termsOf = (text: string): string =>
  ` ${searchTermsOf(text)
    .map(({ text: term }) => term)
    .join(' ')} `

async function storedTerms(organization: number, ids: readonly number[]): Promise<(string | null)[]> {
  const { rows } = await databasePool().query<{ terms: string | null }>(
    'select terms_text(terms) as terms from messages where organization_id = $1 and id = any($2) order by id',
    [organization, ids],
  )
  return rows.map(({ terms }) => terms)
}

async function dictionaryOf(organization: number): Promise<string[]> {
  const { rows } = await databasePool().query<{ word: string }>(
    'select word from search_words where organization_id = $1 order by word',
    [organization],
  )
  return rows.map(({ word }) => word)
}

const CONTENT = 'Deploying the *releases* of v2 (see https://example.com/a-b?c=1) für 東京都, again: deploying'

it('stores the same search terms for new, server-posted, and edited messages', async () => {
  const { id, owner } = await server().organization()
  await owner.subscribe(['general'])
  const sent = await owner.send('general', 'words', CONTENT)
  const edited = await owner.send('general', 'words', 'Other')
  await owner.call('PATCH', `/messages/${edited}`, { content: CONTENT })
  const respelled = await owner.send('general', 'words', `${CONTENT}!`)
  await owner.call('PATCH', `/messages/${respelled}`, { content: CONTENT })
  expect(await storedTerms(id, [sent, edited, respelled])).toEqual(Array(3).fill(termsOf(CONTENT)))
  const move = { topic: 'moved words', propagate_mode: 'change_all', send_notification_to_new_thread: true }
  await owner.call('PATCH', `/messages/${sent}`, move)
  const { messages } = await owner.call('GET', '/messages', { anchor: 'newest', num_before: 10 })
  const posted = messages.filter(({ sender_id: sender }) => sender !== owner.id).map((message) => message.id)
  expect(posted.length).toBeGreaterThan(0)
  expect(await storedTerms(id, posted)).not.toContain(null)
})

it('adds the words of new and edited messages to the dictionary of their organization', async () => {
  const [one, other] = [await server().organization(), await server().organization()]
  for (const { owner } of [one, other]) await owner.subscribe(['general'])
  const id = await one.owner.send('general', 'a', 'Zebra zebra in 東京 x1')
  await one.owner.send('general', 'a', 'the zebra sleeps')
  await one.owner.call('PATCH', `/messages/${id}`, { content: 'giraffe' })
  await other.owner.send('general', 'a', 'zebra')
  const words = await dictionaryOf(one.id)
  expect(words).toEqual(expect.arrayContaining(['giraffe', 'sleeps', 'the', 'zebra']))
  for (const word of ['in', 'x1', '東京', '京']) expect(words).not.toContain(word)
  expect(await dictionaryOf(other.id)).toContain('zebra')
})

it('stores long messages within the limits of the database', async () => {
  const { id, owner } = await server().organization()
  await owner.subscribe(['general'])
  const contents = [
    'a '.repeat(4_999),
    '東'.repeat(9_999),
    Array.from({ length: 1_600 }, (_, index) => `w${index}`).join(' '),
    'x'.repeat(9_999),
  ]
  for (const content of contents) await owner.send('general', 'long', content)
  const { vector } = indexText(Array.from({ length: 300_000 }, (_, index) => `w${index}`).join(' '))
  const { rows } = await databasePool().query<{ count: number }>('select length($1::tsvector) as count', [vector])
  expect(rows[0]?.count).toBeGreaterThan(50_000)
  const wanted = await databasePool().query('select from messages where organization_id = $1 and terms is null', [id])
  expect(wanted.rowCount).toBe(0)
})

/** Does to messages and topics what a node of the previous release does. */
async function rewriteAsPreviousRelease(organization: number, ids: readonly number[], content: string): Promise<void> {
  await databasePool().query('update messages set content = $3 where organization_id = $1 and id = any($2)', [
    organization,
    ids,
    content,
  ])
}

async function search(user: TestUser, operand: string): Promise<{ ids: number[]; isIncomplete: boolean }> {
  const narrow = [{ operator: 'search', operand }]
  const { messages, search_incomplete } = await user.call('GET', '/messages', {
    anchor: 'newest',
    num_before: 100,
    narrow,
  })
  return { ids: messages.map((message) => message.id), isIncomplete: search_incomplete === true }
}

it('indexes messages written by a node of the previous release, and until then reports that a search is incomplete', async () => {
  const { id, owner } = await server().organization()
  await owner.subscribe(['general'])
  const ids: number[] = []
  for (let count = 0; count < 3; count += 1) ids.push(await owner.send('general', 'old', 'nothing yet'))
  await rewriteAsPreviousRelease(id, ids, 'a redeployment')
  const { ids: found, isIncomplete } = await search(owner, 'deploy')
  expect(isIncomplete || found.length === ids.length).toBe(true)
  await expect.poll(async () => search(owner, 'deploy'), { timeout: 20_000 }).toEqual({ ids, isIncomplete: false })
  expect(await dictionaryOf(id)).toContain('redeployment')
})

it('indexes the names of topics when there are many new ones', async () => {
  const organization = await server().organization()
  const { owner } = organization
  await owner.subscribe(['general'])
  const id = await owner.send('general', 'Redeployments', 'hello')
  const renamed = await owner.send('general', 'Old name', 'hello')
  const unindexed = async (): Promise<number | null> => {
    const text = 'select from topic_words where organization_id = $1 and terms is null'
    return (await databasePool().query(text, [organization.id])).rowCount
  }
  await runJob(server().parley, indexTopics)
  expect(await unindexed()).toBeGreaterThan(0)
  for (let count = 0; count < 100; count += 1) await owner.send('general', `topic ${count}`, 'hello')
  await runJob(server().parley, indexTopics)
  expect(await unindexed()).toBe(0)
  expect(await search(owner, 'redeployed')).toEqual({ ids: [id], isIncomplete: false })
  await owner.call('PATCH', `/messages/${renamed}`, { topic: 'Redeploying', propagate_mode: 'change_all' })
  const { ids, isIncomplete } = await search(owner, 'redeployed')
  expect(isIncomplete).toBe(false)
  expect(ids).toEqual(expect.arrayContaining([id, renamed]))
})

it('remembers the words of each organization, and forgets old ones when there are too many', () => {
  const [one, other] = [LoadedOrganizationState.begin(1, []), LoadedOrganizationState.begin(2, [])]
  rememberWords(one, ['one', 'two'])
  expect(missingWords(one, ['two', 'three', 'one', 'three'])).toEqual(['three'])
  expect(missingWords(other, ['two', 'one'])).toEqual(['one', 'two'])
  rememberWords(
    one,
    Array.from({ length: 50_001 }, (_, index) => `w${index}`),
  )
  expect(missingWords(one, ['one', 'w50000'])).toEqual(['one'])
})

it('indexes the messages of few organizations at a time, because each is loaded', async () => {
  for (let count = 0; count < 5; count += 1) {
    const { owner } = await server().organization()
    await owner.subscribe(['general'])
    await owner.send('general', 'a', 'hello')
  }
  const client = await databasePool().connect()
  // Other connections, such as the server's job, do not see the changes.
  await client.query('begin')
  try {
    await client.query('update messages set terms = null')
    const db: Db = {
      async rows<Row>(_name: string, text: string, values: readonly unknown[]) {
        const { rows } = await client.query(text, [...values])
        return rows as Row[]
      },
    }
    const due = await indexMessages.due(db, 0, [])
    expect(new Set(due.map(({ organizationId }) => organizationId)).size).toBe(4)
  } finally {
    await client.query('rollback')
    client.release()
  }
})
