import { describe, expect, it } from 'vitest'
import { isBlank, isVisible } from './characters.ts'

const UNSEEN = ['', ' \n\t', '\u2800', '\u200b\u2060\ufeff', '\u3164\u115f', '\u202e', '\ufe0f', '\u00ad']

describe('a text', () => {
  it.each(UNSEEN)('of %j is blank', (text) => {
    expect(isBlank(text)).toBe(true)
  })

  it.each(['a', '.', '\u2801', '🎉', '\u0301', '中', '\ue000', '\u200bx', '\u{1fae0}', '\u{1fbfa}'])(
    'of %j is not blank',
    (text) => {
      expect(isBlank(text)).toBe(false)
    },
  )
})

describe('a name', () => {
  it.each(UNSEEN)('of %j cannot be seen', (text) => {
    expect(isVisible(text)).toBe(false)
  })

  it.each(['a', '-', '🎉', '中', '\u2801'])('of %j can be seen', (text) => {
    expect(isVisible(text)).toBe(true)
  })
})
