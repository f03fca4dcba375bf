/*
 * One of two servers on a database freezes during a write. The other server continues within three seconds, and the
 * first server continues when it thaws. No acknowledged message is lost or duplicated.
 */
import { it } from 'vitest'
import { effort } from '../server/src/testing/effort.ts'
import { expectOtherServerContinues } from './freezing/freeze.ts'

const TIMEOUT_MILLISECONDS = 300_000

it(
  'keeps one server working without losing messages while the other server is frozen',
  async () => expectOtherServerContinues(effort(10)),
  TIMEOUT_MILLISECONDS,
)
