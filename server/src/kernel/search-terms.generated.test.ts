import fc from 'fast-check'
import { expect, it } from 'vitest'
import { effort } from '../testing/effort.ts'
import { matchesSearch, parseSearch } from './search-query.ts'
import { searchTermsOf } from './search-terms.ts'

const termsOf = (text: string): string[] => searchTermsOf(text).map(({ text: term }) => term)

function finds(query: string, text: string): boolean {
  return matchesSearch(parseSearch(query), [searchTermsOf(text)], () => false)
}

const letters = fc.constantFrom(...('aZé ß_.-0９東京ガ゙ｶﾞ가กำΣς́ا\u200d😀"\n'.match(/./gsu) ?? []))
const anyText = fc.oneof(fc.string({ unit: letters, maxLength: 30 }), fc.string({ unit: 'binary', maxLength: 30 }))

it('folds any text once, in the order of its terms, and finds each part of it', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const terms = searchTermsOf(text)
      let last = 0
      for (const { text: term, start, end, kind } of terms) {
        expect(term).not.toBe('')
        expect(start).toBeGreaterThanOrEqual(last)
        expect(end).toBeGreaterThan(start)
        expect(end).toBeLessThanOrEqual(text.length)
        last = start
        expect(termsOf(term)).toEqual(kind === 'pair' ? [term, [...term].at(-1)] : [term])
        expect(finds(term, text)).toBe(true)
        expect(finds(`"${term}"`, text)).toBe(true)
      }
    }),
    { numRuns: effort(300) },
  )
})
