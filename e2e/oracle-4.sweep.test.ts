/* Repeats oracle.generated.test.ts with different organizations. */
import { expect, it } from 'vitest'
import { findDifference, useOracle } from './oracle/histories.ts'

const [FIRST_SEED, ORGANIZATIONS, STEPS_EACH] = [25, 8, 250]
const SEEDS = Array.from({ length: ORGANIZATIONS }, (_, index) => FIRST_SEED + index)

const oracle = useOracle()

it(
  'shows every user exactly what they have access to in more generated organizations',
  { timeout: 900_000 },
  async () => expect(await findDifference(oracle(), SEEDS, STEPS_EACH)).toBe(''),
)
