/* Repeats follow-up.test.ts at every step. */
import { it } from 'vitest'
import { expectFollowedUpOnce, STEPS } from './follow-up/kill.ts'

const TIMEOUT_MILLISECONDS = 240_000

it(
  "runs a message's follow-up work exactly once even if the server is killed at any step",
  async () => expectFollowedUpOnce(STEPS),
  TIMEOUT_MILLISECONDS,
)
