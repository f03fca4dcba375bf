import { expect, it } from 'vitest'
import { effort } from '../server/src/testing/effort.ts'
import { differenceIn, useOracle } from './oracle/histories.ts'

/*
 * Random organizations, and what everybody in them learns, compared with an oracle that knows only the specification:
 * oracle/model.ts is what happened, oracle/rules.ts who may learn of it. A difference is printed with the seed of its
 * organization and the shortest history found that shows one; PARLEY_ORACLE_SEED repeats that organization.
 *
 * The seeds are the same on every machine, so that a run says something of the change it tests. The files after it,
 * such as oracle-2.sweep.test.ts, play others.
 */

const SEEDS = Array.from({ length: effort(8) }, (_, index) => 1 + index)
/** The first steps make what the others are about. */
const STEPS_EACH = 100 + effort(150)

const oracle = useOracle()

it(
  'nobody learns anything but what they may, and everybody what they must, whatever happened',
  { timeout: 900_000 },
  async () => expect(await differenceIn(oracle(), SEEDS, STEPS_EACH)).toBe(''),
)
