import { describe, expect, it } from 'vitest'
import { isGuessable } from './strength.ts'

describe('a password that somebody chooses', () => {
  it('is looked at in a moment, however long what others know of the person is', async () => {
    // The word lists are loaded with the first.
    expect(await isGuessable('seven purple elephants', ['Nora New'])).toBe(false)
    const words = Array.from({ length: 150_000 }, (_, index) => `word${index}`).join(' ')
    const began = performance.now()
    expect(await isGuessable('seven purple elephants', [words])).toBe(false)
    expect(performance.now() - began).toBeLessThan(1_000)
  })

  it('is looked at as far as its first characters: the time grows much faster than its length', async () => {
    const hard = 'k7#vQ2!xW9@zR4$m'
    expect(await isGuessable(hard, [])).toBe(false)
    expect(await isGuessable('a'.repeat(24) + hard, [])).toBe(false)
    expect(await isGuessable('a'.repeat(32) + hard, [])).toBe(true)
  })

  it('is guessed too easily where it is made of what others know, also of long names', async () => {
    const name = `Wilhelmina Xanthopoulou ${'von Hohenstein '.repeat(4)}`
    expect(await isGuessable('xanthopoulou', [name])).toBe(true)
    expect(await isGuessable('xanthopoulou', ['Nora New'])).toBe(false)
  })
})
