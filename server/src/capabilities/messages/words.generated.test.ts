import fc from 'fast-check'
import type pg from 'pg'
import { expect, it } from 'vitest'
import { effort } from '../../testing/effort.ts'
import { useTestServer } from '../../testing/server.ts'
import { Vocabulary } from './actions/words.ts'

const server = useTestServer()

function databasePool(): pg.Pool {
  return server().parley.database.pool
}

async function wordsInDatabase(text: string): Promise<string> {
  const { rows } = await databasePool().query<{ words: string }>('select message_words($1)::text as words', [text])
  return rows[0]?.words ?? ''
}

async function storedVectorText(vector: Buffer): Promise<string> {
  const { rows } = await databasePool().query<{ words: string }>('select $1::tsvector::text as words', [vector])
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
const separator = fc.constantFrom(
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
const text = fc.array(fc.tuple(word, separator), { maxLength: 40 }).map((pieces) => pieces.flat().join(''))

it('computes the same search words as the database for any text with known words', async () => {
  const vocabulary = new Vocabulary()
  const told = { texts: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 2, maxLength: 6 }), async (texts) => {
      for (const one of texts) vocabulary.learn(one, await wordsInDatabase(one))
      // The same words in a different order, with different separators.
      const mixed = texts.flatMap((one) => one.match(/[A-Za-z0-9]+/g) ?? []).toReversed()
      for (const one of [...texts, mixed.slice(0, 200).join(' / ')]) {
        const vector = vocabulary.vectorOf(one)
        if (vector === null) continue
        told.texts += 1
        expect(await storedVectorText(vector)).toBe(await wordsInDatabase(one))
      }
    }),
    { numRuns: effort(40) },
  )
  expect(told.texts).toBeGreaterThan(0)
})
