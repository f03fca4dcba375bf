import { expect, it } from 'vitest'
import { capabilities } from '../../server/src/capabilities.ts'
import { eventName } from '../../server/src/kernel/event.ts'
import { useTestServer } from '../../server/src/testing/server.ts'
import { holdStatementsToOrganizations } from '../../server/src/testing/whose-rows.ts'
import { foldHistories } from './testing/folding.ts'
import { everyStep } from './testing/play.ts'

/* As fold.generated.test.ts, with histories of every step that there is, which cause every event. */

/** Odd ones, whose histories replace messages; the later ones where the earlier ones did not cause everything. */
const SEEDS = [[3, 5, 7, 9], [11, 13], [15]]
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
  const declared = capabilities.flatMap(({ events }) => events.map(({ event }) => eventName(event)))
  const never = Object.keys(NEVER_TOLD)
  let untold = declared.toSorted()
  for (const seeds of SEEDS) {
    if (untold.length <= never.length) break
    const { failure, told } = await foldHistories(server(), seeds, (random) => everyStep(random, TIMES_EACH))
    expect(failure).toBe('')
    untold = untold.filter((name) => !told.has(name))
  }
  expect(untold).toEqual(never)
})
