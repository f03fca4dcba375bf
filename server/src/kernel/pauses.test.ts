import { expect, it } from 'vitest'
import { beginRequest, createYielder, endRequest, waitForTurn } from './pauses.ts'

function blockEventLoop(): void {
  const until = performance.now() + 12
  while (performance.now() < until);
}

it('runs one job per turn of the event loop, in order', async () => {
  const ran: string[] = []
  const piece = async (name: string): Promise<void> => {
    const pause = createYielder()
    for (let step = 1; step <= 3; step += 1) {
      blockEventLoop()
      ran.push(`${name}${step}`)
      await pause()
    }
  }
  const pieces = Promise.all(['a', 'b', 'c'].map(piece))
  const turns: string[][] = []
  while (turns.flat().length < 9) {
    turns.push(ran.splice(0))
    await nextTurn()
  }
  await pieces
  expect(turns.slice(1).every((turn) => turn.length <= 1)).toBe(true)
  expect(turns.flat()).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'b3', 'c3'])
})

it('alternates between jobs of different accounts', async () => {
  const ran: string[] = []
  const ask = async (name: string): Promise<void> => waitForTurn(name.charAt(0)).then(() => void ran.push(name))
  await Promise.all(['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map(ask))
  expect(ran).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

it("pauses an account's jobs after a long job while another account has a request in progress", async () => {
  const rest = async (owner: string): Promise<{ milliseconds: number; turns: number }> => {
    await waitForTurn(owner)
    blockEventLoop()
    const ended = performance.now()
    const ends: number[] = []
    const next = waitForTurn(owner).then(() => ends.push(performance.now()))
    let turns = 0
    for (; ends.length === 0; turns += 1) await nextTurn()
    await next
    return { milliseconds: performance.now() - ended, turns }
  }
  beginRequest('a')
  expect(await rest('a')).toMatchObject({ turns: 2 })
  beginRequest('b')
  expect((await rest('a')).milliseconds).toBeGreaterThan(11)
  endRequest('b')
  expect(await rest('a')).toMatchObject({ turns: 2 })
  endRequest('a')
})

it("does not make an account's jobs wait while another account is paused", async () => {
  beginRequest('b')
  await waitForTurn('a')
  blockEventLoop()
  await nextTurn()
  const ran: string[] = []
  const asked = [waitForTurn('a').then(() => ran.push('a')), waitForTurn('b').then(() => ran.push('b'))]
  await Promise.all(asked)
  endRequest('b')
  expect(ran).toEqual(['b', 'a'])
})

async function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
