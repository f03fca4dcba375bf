import fc from 'fast-check'
import type pg from 'pg'
import { expect, it } from 'vitest'
import { effort } from '../../testing/effort.ts'
import { useTestServer } from '../../testing/server.ts'
import { Vocabulary } from './actions/words.ts'

const server = useTestServer()

function pool(): pg.Pool {
  return server().parley.database.pool
}

async function wordsInDatabase(text: string): Promise<string> {
  const { rows } = await pool().query<{ words: string }>('select message_words($1)::text as words', [text])
  return rows[0]?.words ?? ''
}

async function asStored(vector: Buffer): Promise<string> {
  const { rows } = await pool().query<{ words: string }>('select $1::tsvector::text as words', [vector])
  return rows[0]?.words ?? ''
}

const word = fc.oneof(
  fc.constantFrom(
    'running',
    'Runs',
    'ran',
    'the',
    'THE',
    'v2',
    '2v',
    '1e5',
    '1E5x',
    '0x1F',
    '007',
    'e',
    'ties',
    'skies',
  ),
  fc.stringMatching(/^[A-Za-z]{1,12}$/),
  fc.stringMatching(/^[A-Za-z0-9]{1,8}$/),
  fc.stringMatching(/^[0-9]{1,12}$/),
)
const between = fc.constantFrom(
  ' ',
  '\n',
  '\t',
  ', ',
  '. ',
  '-',
  '/',
  '@',
  ':',
  "'",
  '"',
  ' $',
  '%^',
  '~`',
  '\\',
  ' <b>',
  '#*_',
)
const text = fc.array(fc.tuple(word, between), { maxLength: 40 }).map((pieces) => pieces.flat().join(''))

it('knows the words of a text as the database finds them, of any text of words that it knows', async () => {
  const vocabulary = new Vocabulary()
  const told = { texts: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 2, maxLength: 6 }), async (texts) => {
      for (const one of texts) vocabulary.learn(one, await wordsInDatabase(one))
      // The same words in another order and between other characters.
      const mixed = texts.flatMap((one) => one.match(/[A-Za-z0-9]+/g) ?? []).toReversed()
      for (const one of [...texts, mixed.slice(0, 200).join(' / ')]) {
        const vector = vocabulary.vectorOf(one)
        if (vector === null) continue
        told.texts += 1
        expect(await asStored(vector)).toBe(await wordsInDatabase(one))
      }
    }),
    { numRuns: effort(40) },
  )
  expect(told.texts).toBeGreaterThan(0)
})

it.each([
  ['has a word that is new', 'known stranger'],
  ['has letters of other scripts', 'known wörd'],
  ['has signs that are no letters', 'known ☃'],
  ['has more words than can be told apart', 'known '.repeat(300)],
])('leaves a text to the database that %s', async (_, content) => {
  const vocabulary = new Vocabulary()
  vocabulary.learn('known', await wordsInDatabase('known'))
  expect(vocabulary.vectorOf('known known')).not.toBeNull()
  expect(vocabulary.vectorOf(content)).toBeNull()
})

it('learns nothing where the database sees other words than it', () => {
  const vocabulary = new Vocabulary()
  vocabulary.learn('one two', `'on':1 'e':2 'two':3`)
  vocabulary.learn('three four', `'three':1`)
  vocabulary.learn('five six seven', `'fiv':1 'seven':3`)
  for (const one of ['one', 'two', 'three', 'four', 'five', 'six', 'seven']) expect(vocabulary.vectorOf(one)).toBeNull()
})

it('stores the same words for a message whether its words are new or known, sent, posted or edited', async () => {
  const { id, owner } = await server().organization()
  await owner.subscribe(['general'])
  const content = 'Deploying the *releases* of v2 (see https://example.com/a-b?c=1) fails'
  const first = await owner.send('general', 'words', content)
  const second = await owner.send('general', 'words', content)
  const third = await owner.send('general', 'words', 'Other')
  await owner.call('PATCH', `/messages/${third}`, { content })
  const { rows } = await pool().query<{ id: number; search: string }>(
    'select id, search::text as search from messages where organization_id = $1 and id = any($2) order by id',
    [id, [first, second, third]],
  )
  const search = await wordsInDatabase(content)
  expect(rows).toEqual([first, second, third].map((one) => ({ id: one, search })))
})
