import { expect, it } from 'vitest'
import { effort } from '../../server/src/testing/effort.ts'
import { Random } from '../../server/src/testing/random.ts'
import { useTestServer } from '../../server/src/testing/server.ts'
import { requireOrganizationInStatements } from '../../server/src/testing/whose-rows.ts'
import { fold } from './fold.ts'
import { foldHistories } from './testing/folding.ts'
import { play, randomSteps } from './testing/play.ts'

/*
 * Checks in random organizations, for every client form: a snapshot plus the events after it equals a later snapshot,
 * and each event changes only the fields it declares. A failure prints the seed and the shortest failing history found;
 * PARLEY_FOLD_SEED repeats that organization.
 *
 * Seeds are fixed so that a failure is caused by the change under test. fold-2.sweep.test.ts uses other seeds, and
 * fold-events.sweep.test.ts causes every event.
 */

const SEEDS = [1, 2, 3, 4, 5].slice(0, effort(10))
const STEPS_EACH = effort(500)
/** Enough operations to cause the event that the last test breaks. */
const STEPS_UNTIL_UNREAD = 100

const server = useTestServer()
requireOrganizationInStatements(server)

it('keeps client state equal to a fresh snapshot after any sequence of actions', { timeout: 900_000 }, async () => {
  const { failure } = await foldHistories(server(), SEEDS, (random) => randomSteps(random, STEPS_EACH))
  expect(failure).toBe('')
})

it('detects an event that changes more fields than it declares', async () => {
  const [seed = 0] = SEEDS
  const forgetful: typeof fold = (...folded) => fold(...folded).filter((field) => field !== 'unread_msgs')
  const choices = randomSteps(new Random(seed), STEPS_UNTIL_UNREAD)
  const { wrong } = await play(server(), seed, choices, undefined, forgetful)
  expect(wrong).toContainEqual(expect.stringMatching(/^ {2}\S+ does not declare that it changes unread_msgs$/))
})
