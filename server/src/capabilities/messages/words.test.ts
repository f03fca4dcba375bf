import type pg from 'pg'
import { expect, it } from 'vitest'
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

it.each([
  ['has an unknown word', 'known stranger'],
  ['has letters of other scripts', 'known wörd'],
  ['has symbols', 'known ☃'],
  ['has too many words', 'known '.repeat(300)],
])('leaves splitting a text into search words to the database if the text %s', async (_, content) => {
  const vocabulary = new Vocabulary()
  vocabulary.learn('known', await wordsInDatabase('known'))
  expect(vocabulary.vectorOf('known known')).not.toBeNull()
  expect(vocabulary.vectorOf(content)).toBeNull()
})

it('does not cache words of a text if the database splits, changes, or omits any word', () => {
  const vocabulary = new Vocabulary()
  vocabulary.learn('one two', `'on':1 'e':2 'two':3`)
  vocabulary.learn('three four', `'three':1`)
  vocabulary.learn('five six seven', `'fiv':1 'seven':3`)
  for (const one of ['one', 'two', 'three', 'four', 'five', 'six', 'seven']) expect(vocabulary.vectorOf(one)).toBeNull()
})

it('stores the same search words for new, server-posted, and edited messages', async () => {
  const { id, owner } = await server().organization()
  await owner.subscribe(['general'])
  const content = 'Deploying the *releases* of v2 (see https://example.com/a-b?c=1) fails'
  const first = await owner.send('general', 'words', content)
  const second = await owner.send('general', 'words', content)
  const third = await owner.send('general', 'words', 'Other')
  await owner.call('PATCH', `/messages/${third}`, { content })
  const { rows } = await databasePool().query<{ id: number; search: string }>(
    'select id, search::text as search from messages where organization_id = $1 and id = any($2) order by id',
    [id, [first, second, third]],
  )
  const search = await wordsInDatabase(content)
  expect(rows).toEqual([first, second, third].map((one) => ({ id: one, search })))
})
