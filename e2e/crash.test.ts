/*
 * A message that was acknowledged is never lost or doubled, and every client continues in its queue, although the server and
 * its database are killed. crash.sweep.test.ts kills them again and again.
 */
import { it } from 'vitest'
import { expectNothingLost } from './crash/kills.ts'

const TIMEOUT_MILLISECONDS = 120_000

it(
  'loses and repeats nothing when the server, its database and a database process are killed',
  async () => expectNothingLost({ kills: { server: 1, postmaster: 1, databaseProcess: 1 }, senders: 3 }),
  TIMEOUT_MILLISECONDS,
)
