/* Repeats crash.test.ts with many kills at random times, some during startup. */
import { it } from 'vitest'
import { expectNothingLost } from './crash/kills.ts'

const TIMEOUT_MILLISECONDS = 300_000

it(
  'neither loses nor repeats messages when server and database are killed repeatedly',
  async () => expectNothingLost({ kills: { server: 20, postmaster: 5, databaseProcess: 5 }, senders: 9 }),
  TIMEOUT_MILLISECONDS,
)
