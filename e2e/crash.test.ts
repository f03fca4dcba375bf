/*
 * When the server and its database are killed, no acknowledged message is lost or duplicated, and every client
 * continues with its queue. crash.sweep.test.ts kills them repeatedly.
 */
import { it } from 'vitest'
import { expectNothingLost } from './crash/kills.ts'

const TIMEOUT_MILLISECONDS = 120_000

it(
  'neither loses nor repeats messages when server and database are killed once',
  async () => expectNothingLost({ kills: { server: 1, postmaster: 1, databaseProcess: 1 }, senders: 3 }),
  TIMEOUT_MILLISECONDS,
)
