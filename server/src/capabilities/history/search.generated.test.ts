import fc from 'fast-check'
import { expect, it } from 'vitest'
import { matchesSearch, parseSearch, type IsForm } from '../../kernel/search-query.ts'
import { searchTermsOf } from '../../kernel/search-terms.ts'
import { effort } from '../../testing/effort.ts'
import { awaitFileTexts, upload } from '../../testing/files.ts'
import { itemAt } from '../../testing/look-up.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import type { TestUser } from '../../testing/user.ts'

const server = useTestServer()

const WORDS = [
  'deploy redeployment deploying Deployed camelCaseIdentifier foo_bar.baz() /etc/nginx.conf 8540f5c2d1 the a ab x-y',
  "Müller Muller cafe Café Ørsted ΟΔΟΣ οδος ending v1.2 don't % _ \\ 第3章 ab東京 东京都 数据库服务器 データベース 서버를 ประชุม",
].flatMap((line) => line.split(' '))
/** So many words that contain `ing` that the index is not asked for each of them. */
const MANY_WORDS = Array.from({ length: 320 }, (_, index) => `${index}ing`).join(' ')

const words = fc.array(fc.nat(WORDS.length - 1), { minLength: 1, maxLength: 5 })
const joined = fc
  .tuple(words, fc.constantFrom(' ', ' ', ' ', '.', '', ', '))
  .map(([chosen, separator]) => chosen.map((word) => itemAt(WORDS, word)).join(separator))
const part = fc
  .tuple(joined, fc.nat(8), fc.integer({ min: 1, max: 8 }))
  .map(([text, start, length]) => [...text].slice(start, start + length).join(''))
const query = fc.oneof(
  joined,
  part,
  fc.tuple(part, part).map((parts) => parts.join(' ')),
  joined.map((text) => `"${text}"`),
  fc.constant('ing'),
  fc.constant('ing.deploy'),
  fc.constantFrom('deplyo', 'redeploymnet', 'deployin', 'Ednding', 'Mullre', 'cafés', 'a deplyo'),
)
const message = fc.record({
  content: fc.oneof({ weight: 9, arbitrary: joined }, fc.constant(MANY_WORDS)),
  topic: joined,
  file: fc.option(joined, { freq: 2, nil: undefined }),
})

interface SentMessage {
  readonly id: number
  readonly content: string
  readonly topic: string
  /** Text of a file that the message links to. */
  readonly file?: string | undefined
}

async function sendAll(
  user: TestUser,
  messages: readonly Omit<SentMessage, 'id'>[],
  channel = 'general',
): Promise<SentMessage[]> {
  const sent: SentMessage[] = []
  for (const { content, topic, file } of messages) {
    const name = [...topic].slice(0, 40).join('').trim()
    const id = await user.send(channel, name, content)
    if (file !== undefined) await attachFile(user, id, file)
    sent.push({ id, content, topic: name, file })
  }
  return sent
}

/** Links a file without its address, which is random and would be searched. */
async function attachFile(user: TestUser, messageId: number, content: string): Promise<void> {
  const path = (await upload(user, 'file', content)).replace('/user_uploads/', '')
  const { pool } = server().parley.database
  await pool.query(
    `insert into attachment_messages (organization_id, attachment_id, message_id)
     select organization_id, id, $2 from attachments where path_id = $1`,
    [path, messageId],
  )
  await pool.query('update attachments set unclaimed_since = null where path_id = $1', [path])
}

function textsOf({ content, topic, file = '' }: SentMessage): string[] {
  return [content, topic, file]
}

async function find(user: TestUser, operand: string): Promise<Record<string, unknown>> {
  const narrow = [
    { operator: 'channel', operand: 'general' },
    { operator: 'search', operand },
  ]
  return user.call('GET', '/messages', { anchor: 'newest', num_before: 100, num_after: 0, narrow })
}

/** Asks the database for the stems, so that the model checks everything else. */
async function readForms(texts: readonly string[]): Promise<IsForm> {
  const all = [...new Set(texts.flatMap((text) => searchTermsOf(text)).map(({ text }) => text))]
  const { rows } = await server().parley.database.pool.query<{ word: string; stems: string[] }>(
    `select word, word_stems(word, 'en') as stems from unnest($1::text[]) as word`,
    [all],
  )
  const stems = new Map(rows.map(({ word, stems: own }) => [word, own]))
  return ({ text }, term) => stems.get(text)?.some((stem) => stems.get(term)?.includes(stem)) === true
}

it('finds the same messages as a model for any texts and searches', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(message, { minLength: 3, maxLength: 8 }),
      fc.array(query, { minLength: 10, maxLength: 20 }),
      async (messages, queries) => {
        const { owner } = await server().organization()
        await owner.subscribe(['general'])
        const sent = await sendAll(owner, messages)
        await awaitFileTexts(server().parley)
        const isForm = await readForms([...sent.flatMap(textsOf), ...queries])
        for (const asked of queries) {
          const answer = await find(owner, asked)
          // Corrected words are found only if nothing else is.
          const found = answer['search_corrections'] === undefined ? (answer['messages'] as { id: number }[]) : []
          const wanted = sent.filter((one) =>
            matchesSearch(parseSearch(asked), textsOf(one).map(searchTermsOf), isForm),
          )
          expect([asked, found.map(({ id }) => id)]).toEqual([asked, wanted.map(({ id }) => id)])
        }
      },
    ),
    { numRuns: effort(15), endOnFailure: true },
  )
}, 600_000)

/** Returns an answer with the messages' numbers instead of IDs, which differ between organizations. */
function comparable(answer: Record<string, unknown>, sent: readonly SentMessage[]): unknown {
  const found = answer['messages'] as Record<string, unknown>[]
  const messages = found.map((one) => [
    sent.findIndex(({ id }) => id === one['id']),
    one['match_content'],
    one['match_subject'],
    (one['match_files'] as { match_content: string }[] | undefined)?.map((file) => file.match_content),
  ])
  return { ...answer, messages }
}

async function createReader(organization: TestOrganization): Promise<TestUser> {
  const reader = await organization.user('Ann')
  await organization.owner.subscribe(['general'], { principals: [organization.owner.id, reader.id] })
  return reader
}

it('returns the same results with and without messages that the reader cannot see', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(message, { minLength: 2, maxLength: 6 }),
      fc.array(message, { minLength: 1, maxLength: 6 }),
      fc.array(query, { minLength: 5, maxLength: 12 }),
      async (shown, hidden, queries) => {
        const [one, other] = [await server().organization(), await server().organization()]
        const readers = [await createReader(one), await createReader(other)] as const
        await one.owner.subscribe(['secret'], { invite_only: true })
        const sent: [SentMessage[], SentMessage[]] = [[], []]
        for (let index = 0; index < Math.max(shown.length, hidden.length); index += 1) {
          const [open, secret] = [shown.slice(index, index + 1), hidden[index]]
          sent[0].push(...(await sendAll(one.owner, open)))
          sent[1].push(...(await sendAll(other.owner, open)))
          if (secret === undefined) continue
          await sendAll(one.owner, [secret], 'secret')
          await one.owner.sendTo([one.owner.id], secret.content)
        }
        await awaitFileTexts(server().parley)
        for (const asked of queries) {
          const [with_, without] = [await find(readers[0], asked), await find(readers[1], asked)]
          expect([asked, comparable(with_, sent[0])]).toEqual([asked, comparable(without, sent[1])])
        }
      },
    ),
    { numRuns: effort(8), endOnFailure: true },
  )
}, 600_000)
