import { expect, it, vi } from 'vitest'
import { createSignal } from '../testing/http.ts'
import { createFairQueue, createPacedQueue } from './turns.ts'

it('limits concurrency, keeps the order, and rejects work when the queue is full', async () => {
  const inTurn = createFairQueue(2, 2, () => {
    throw new Error('too many')
  })
  const signals = [createSignal(), createSignal(), createSignal(), createSignal()]
  const begun: number[] = []
  const works = signals.map(async ({ given }, index) =>
    inTurn(async () => {
      begun.push(index)
      await given
      if (index === 0) throw new Error('failed')
      return index
    }),
  )
  const results = Promise.allSettled(works)
  await expect(inTurn(async () => Promise.resolve())).rejects.toThrow('too many')
  expect(begun).toEqual([0, 1])
  signals[0]?.give()
  await works[0]?.catch(() => undefined)
  await expect.poll(() => begun).toEqual([0, 1, 2])
  for (const one of signals) one.give()
  expect(await results).toMatchObject([{ status: 'rejected' }, { value: 1 }, { value: 2 }, { value: 3 }])
  expect(await inTurn(async () => Promise.resolve('later'))).toBe('later')
})

it('alternates between accounts and rejects queued work of the busiest account', async () => {
  const inTurn = createFairQueue(1, 4, () => {
    throw new Error('too many')
  })
  const gate = createSignal()
  const [done, refused]: [string[], string[]] = [[], []]
  const works = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2', 'a5'].map(async (name) => {
    const work = async (): Promise<unknown> => gate.given.then(() => done.push(name))
    await inTurn(work, name.charAt(0)).catch(() => refused.push(name))
  })
  gate.give()
  await Promise.all(works)
  expect(done).toEqual(['a1', 'a2', 'b1', 'c1', 'a3'])
  expect(refused.toSorted()).toEqual(['a4', 'a5', 'b2'])
})

it('leaves slots free for other accounts once one account uses its share', async () => {
  const refuse = (): never => {
    throw new Error('too many')
  }
  const inTurn = createFairQueue(2, 4, refuse, 1)
  const gates = { a1: createSignal(), a2: createSignal(), b1: createSignal() }
  const begun: string[] = []
  const run = async (name: keyof typeof gates): Promise<unknown> =>
    inTurn(async () => {
      begun.push(name)
      return gates[name].given
    }, name.charAt(0))
  const [a1, a2, b1] = [run('a1'), run('a2'), run('b1')]
  await expect.poll(() => begun).toEqual(['a1', 'b1'])
  gates.b1.give()
  await b1
  expect(begun).toEqual(['a1', 'b1'])
  gates.a1.give()
  await a1
  await expect.poll(() => begun).toEqual(['a1', 'b1', 'a2'])
  gates.a2.give()
  await a2
})

it('rests after each job of a paced queue, but not before its result', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] })
  try {
    const begun: string[] = []
    const inTurn = createPacedQueue({
      maxWaiting: 1,
      restRatio: 4,
      refuse() {
        throw new Error('too many')
      },
    })
    const job = (name: string) => async (): Promise<string> => {
      begun.push(name)
      vi.advanceTimersByTime(10)
      return Promise.resolve(name)
    }
    expect(await inTurn(job('first'), 'a')).toBe('first')
    const second = inTurn(job('second'), 'a')
    await expect(inTurn(job('third'), 'a')).rejects.toThrow('too many')
    await vi.advanceTimersByTimeAsync(39)
    expect(begun).toEqual(['first'])
    await vi.advanceTimersByTimeAsync(1)
    expect(await second).toBe('second')
  } finally {
    vi.useRealTimers()
  }
})
