import { expect, it } from 'vitest'
import { createYielder, ownTurn } from './pauses.ts'

function work(): void {
  const until = performance.now() + 12
  while (performance.now() < until);
}

it('runs one job per turn of the event loop, in order', async () => {
  const ran: string[] = []
  const piece = async (name: string): Promise<void> => {
    const pause = createYielder()
    for (let step = 1; step <= 3; step += 1) {
      work()
      ran.push(`${name}${step}`)
      await pause()
    }
  }
  const pieces = Promise.all(['a', 'b', 'c'].map(piece))
  const turns: string[][] = []
  // Steps that take long on a busy machine are followed by a rest.
  while (turns.flat().length < 9) {
    turns.push(ran.splice(0))
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
  await pieces
  expect(turns.slice(1).every((turn) => turn.length <= 1)).toBe(true)
  expect(turns.flat()).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'b3', 'c3'])
})

it('alternates between owners', async () => {
  const ran: string[] = []
  const ask = async (name: string): Promise<void> => ownTurn(name.charAt(0)).then(() => void ran.push(name))
  await Promise.all(['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map(ask))
  expect(ran).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})
