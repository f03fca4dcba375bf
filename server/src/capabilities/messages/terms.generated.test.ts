import fc from 'fast-check'
import { expect, it } from 'vitest'
import { searchTermsOf } from '../../kernel/search-terms.ts'
import { effort } from '../../testing/effort.ts'
import { useTestServer } from '../../testing/server.ts'
import { indexText } from './actions/terms.ts'

const server = useTestServer()

const character = fc.constantFrom(...'ab Z9 é ß _ . 東 京 ガ か 가 ก ำ Σ 😀 \n'.split(' '), ' ', ' ')
const text = fc.array(character, { maxLength: 80 }).map((characters) => characters.join(''))

it('stores the terms of any text at their positions', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 10 }), async (texts) => {
      for (const one of texts) {
        const { vector, words } = indexText(one)
        const { rows } = await server().parley.database.pool.query<{ terms: string | null }>(
          'select terms_text($1) as terms',
          [vector],
        )
        const terms = searchTermsOf(one)
        const wanted = terms.length === 0 ? null : ` ${terms.map((term) => term.text).join(' ')} `
        expect(rows[0]?.terms).toBe(wanted)
        const long = terms.filter((term) => term.kind === 'word' && [...term.text].length > 2)
        expect(words).toEqual([...new Set(long.map((term) => term.text))])
      }
    }),
    { numRuns: effort(50) },
  )
})
