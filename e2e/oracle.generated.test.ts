import { expect, it } from 'vitest'
import { effort } from '../server/src/testing/effort.ts'
import { findDifference, useOracle } from './oracle/histories.ts'

/*
 * Compares the data that users of random organizations receive with an oracle that knows only the specification:
 * oracle/model.ts records the operations, and oracle/rules.ts defines which users can learn of them. A failure prints
 * the seed and the shortest failing history found; PARLEY_ORACLE_SEED repeats that organization.
 *
 * Seeds are fixed so that a failure is caused by the change under test. Other files such as oracle-2.sweep.test.ts use
 * other seeds.
 */

const SEEDS = Array.from({ length: effort(8) }, (_, index) => 1 + index)
/** The first steps create the objects that later steps use. */
const STEPS_EACH = 100 + effort(150)

const oracle = useOracle()

it('shows every user exactly what they have access to after any sequence of actions', { timeout: 900_000 }, async () =>
  expect(await findDifference(oracle(), SEEDS, STEPS_EACH)).toBe(''),
)
