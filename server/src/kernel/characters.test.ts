import { describe, expect, it } from 'vitest'
import { isBlank, hasVisibleCharacter, similarityKey } from './characters.ts'

const INVISIBLE_TEXTS = [
  '',
  ' \n\t',
  '\u2800',
  '\u200b\u2060\ufeff',
  '\u3164\u115f',
  '\u202e',
  '\ufe0f',
  '\u00ad',
  '\u{1d159} \ufffc',
]

describe('blank texts', () => {
  it.each(INVISIBLE_TEXTS)('treats %j as blank', (text) => {
    expect(isBlank(text)).toBe(true)
  })

  it.each(['a', '.', '\u2801', '🎉', '\u0301', '中', '\ue000', '\u200bx', '\u{1fae0}', '\u{1fbfa}'])(
    'treats %j as not blank',
    (text) => {
      expect(isBlank(text)).toBe(false)
    },
  )
})

describe('visible names', () => {
  it.each(INVISIBLE_TEXTS)('treats %j as invisible', (text) => {
    expect(hasVisibleCharacter(text)).toBe(false)
  })

  it.each(['a', '-', '🎉', '中', '\u2801'])('treats %j as visible', (text) => {
    expect(hasVisibleCharacter(text)).toBe(true)
  })
})

it('gives lookalike names the same comparison key', () => {
  for (const names of [
    ['ΗΣ', 'ης', 'ησ'],
    ['Ann Able', 'ＡＮＮ\u00a0\u200bable', 'ann  \u{1d159}able'],
  ])
    expect(new Set(names.map(similarityKey)).size).toBe(1)
})
