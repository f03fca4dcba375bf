/*
 * A message is sent once, and its follow-up work runs once, even if the server is killed at any step between the
 * request and the end of the follow-up, and the client retries with the same idempotency key.
 */
import { it } from 'vitest'
import { expectFollowedUpOnce, STEPS } from './follow-up/kill.ts'

const TIMEOUT_MILLISECONDS = 120_000

it(
  "runs a message's follow-up work exactly once even if the server is killed before recording its completion",
  async () => expectFollowedUpOnce(STEPS.slice(-1)),
  TIMEOUT_MILLISECONDS,
)
