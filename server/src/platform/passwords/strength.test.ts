import { describe, expect, it } from 'vitest'
import { isGuessable } from './strength.ts'

const who = '192.0.2.1'

describe('password strength', () => {
  it("estimates a password's strength without blocking the event loop", async () => {
    // Starts the thread and loads the word lists.
    await isGuessable('seven purple elephants', ['Nora New'], who)
    let turns = 0
    const timer = setInterval(() => (turns += 1), 1)
    const slow = Array.from({ length: 10 }, (_, index) => `n0r4n3w-correct-horse-batt3ry-${index}`)
    await Promise.all(slow.map(async (password) => isGuessable(password, ['Nora New', 'Horse & Battery'], who)))
    clearInterval(timer)
    expect(turns).toBeGreaterThan(slow.length)
  })

  it("estimates a password's strength within a second for very long personal data", async () => {
    await isGuessable('seven purple elephants', ['Nora New'], who)
    const words = Array.from({ length: 150_000 }, (_, index) => `word${index}`).join(' ')
    const began = performance.now()
    expect(await isGuessable('seven purple elephants', [words], who)).toBe(false)
    expect(performance.now() - began).toBeLessThan(1_000)
  })

  it("estimates a password's strength by its first characters only", async () => {
    const hard = 'k7#vQ2!xW9@zR4$m'
    expect(await isGuessable(hard, [], who)).toBe(false)
    expect(await isGuessable('a'.repeat(24) + hard, [], who)).toBe(false)
    expect(await isGuessable('a'.repeat(32) + hard, [], who)).toBe(true)
  })

  it('rates a password made of personal data as guessable', async () => {
    const name = `Wilhelmina Xanthopoulou ${'von Hohenstein '.repeat(4)}`
    expect(await isGuessable('xanthopoulou', [name], who)).toBe(true)
    expect(await isGuessable('xanthopoulou', ['Nora New'], who)).toBe(false)
  })
})
