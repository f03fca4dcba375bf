import { expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import { foldHistories } from './testing/folding.ts'
import { randomSteps } from './testing/play.ts'

/* Repeats fold.generated.test.ts with different organizations. */

const SEEDS = [6, 7, 8, 9, 10]
const STEPS_EACH = 500

const server = useTestServer()

it('keeps client state equal to a fresh snapshot after more sequences of actions', { timeout: 900_000 }, async () => {
  const { failure } = await foldHistories(server(), SEEDS, (random) => randomSteps(random, STEPS_EACH))
  expect(failure).toBe('')
})
