import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runOverlapping, type Subject } from './overlap.ts'

interface Action {
  readonly name: number
  readonly subject: Subject
  readonly turns: number
  readonly fails: boolean
}

const action = fc.record({
  subject: fc.record({
    kind: fc.constantFrom('edit', 'react'),
    of: fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1, maxLength: 2 }),
  }),
  turns: fc.nat(5),
  fails: fc.boolean(),
})

it('runs each action once, overlapping only with unrelated actions of the same kind', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 40 }), fc.nat(60), fc.nat(20), async (given, most, harm) => {
      const actions: Action[] = given.map((one, name) => ({ ...one, name, fails: one.fails && harm === name }))
      const running = new Set<Action>()
      const ended: Action[] = []
      const begun: Action[] = []
      const run = async (one: Action): Promise<void> => {
        for (const other of running) {
          expect(other.subject.kind).toBe(one.subject.kind)
          expect(other.subject.of.filter((thing) => one.subject.of.includes(thing))).toEqual([])
        }
        expect(ended.filter(({ fails }) => fails)).toEqual([])
        running.add(one)
        begun.push(one)
        for (let turn = 0; turn < one.turns; turn += 1) await Promise.resolve()
        running.delete(one)
        ended.push(one)
        if (one.fails) throw new Error(`${one.name} failed`)
      }
      let asked = 0
      const late = await runOverlapping(actions, run, () => {
        asked += 1
        return asked <= most
      }).catch((error: unknown) => error)
      expect(running.size).toBe(0)
      const failed = begun.find(({ fails }) => fails)
      const left = actions.filter((one) => !begun.includes(one))
      expect(late).toEqual(failed === undefined ? left : new Error(`${failed.name} failed`))
      expect(begun[0]).toBe(actions[0])
      expect(failed !== undefined || asked >= most || left.length === 0).toBe(true)
      const isAlike = (one: Action, other: Action): boolean =>
        one.subject.kind === other.subject.kind && one.subject.of.some((thing) => other.subject.of.includes(thing))
      const tooLate = begun.filter((one, index) =>
        begun.slice(0, index).some((other) => isAlike(one, other) && other.name > one.name),
      )
      expect(tooLate).toEqual([])
    }),
    { numRuns: 300 },
  )
})

it('runs unrelated actions concurrently', async () => {
  const beside: (() => void)[] = []
  const about = (thing: string): { subject: Subject } => ({ subject: { kind: 'react', of: [thing] } })
  const run = async (): Promise<void> =>
    new Promise<void>((resolve) => {
      beside.push(resolve)
      if (beside.length === 3) for (const end of beside) end()
    })
  expect(await runOverlapping([about('a'), about('b'), about('c')], run, () => true)).toEqual([])
})
