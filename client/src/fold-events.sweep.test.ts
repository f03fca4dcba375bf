import { expect, it } from 'vitest'
import { capabilities } from '../../server/src/capabilities.ts'
import { eventName } from '../../server/src/kernel/event.ts'
import { useTestServer } from '../../server/src/testing/server.ts'
import { holdStatementsToOrganizations } from '../../server/src/testing/whose-rows.ts'
import { foldHistories } from './testing/folding.ts'
import { everyStep } from './testing/play.ts'

/* As fold.generated.test.ts, with histories of every step that there is, which cause every event. */

/** Odd ones, whose histories replace messages. */
const SEEDS = [3, 5, 7, 9]
const TIMES_EACH = 5

/** Events that no step causes, and why. */
const NEVER_TOLD: Readonly<Record<string, string>> = {
  credentials: 'is for the audit log, and is sent to nobody',
  heartbeat: 'comes when nothing happened for a minute, and changes nothing',
  'realm/deactivated': 'ends the organization, and with it the history',
}

const server = useTestServer()
holdStatementsToOrganizations(server)

it('folds every event that is declared into what registering anew says', { timeout: 900_000 }, async () => {
  const { failure, told } = await foldHistories(server(), SEEDS, (random) => everyStep(random, TIMES_EACH))
  expect(failure).toBe('')
  const declared = capabilities.flatMap(({ events }) => events.map(({ event }) => eventName(event)))
  expect(declared.filter((name) => !told.has(name)).toSorted()).toEqual(Object.keys(NEVER_TOLD))
})
