import { beforeAll, expect, it } from 'vitest'
import { capabilities } from '../../server/src/capabilities.ts'
import { eventName } from '../../server/src/kernel/event.ts'
import { effort } from '../../server/src/testing/effort.ts'
import { Random } from '../../server/src/testing/random.ts'
import { useTestServer } from '../../server/src/testing/server.ts'
import { holdStatementsToOrganizations } from '../../server/src/testing/whose-rows.ts'
import { shortest } from '../../server/src/testing/shortest.ts'
import { fold } from './fold.ts'
import { play, randomSteps } from './testing/play.ts'

/*
 * A snapshot, folded with the events after it, equals a later snapshot: in random organizations, for clients of every
 * form; and an event changes no field of the state but those that folding it names. What is wrong is printed with the seed of its organization and the shortest history found that shows it;
 * PARLEY_FOLD_SEED repeats that organization.
 */

const GIVEN = process.env['PARLEY_FOLD_SEED']
/** The seeds are the same on every machine, so that a run says something of the change it tests. More effort reaches further seeds. */
const FIRST_SEED = Number(GIVEN ?? 1)
const ORGANIZATIONS = GIVEN === undefined ? effort(20) : 1
const STEPS_EACH = 500
/** Organizations that live at once: one waits for the database while another is busy. */
const AT_ONCE = 4
/** Fewer do not cause every event. */
const ENOUGH_ORGANIZATIONS = 20

/** Events that no step causes, and why. */
const NEVER_TOLD: Readonly<Record<string, string>> = {
  credentials: 'is for the audit log, and is sent to nobody',
  heartbeat: 'comes when nothing happened for a minute, and changes nothing',
  'realm/deactivated': 'ends the organization, and with it the history',
}

const server = useTestServer()
holdStatementsToOrganizations(server)

beforeAll(() => {
  process.stdout.write(`folding: ${ORGANIZATIONS} organizations, the first has seed ${FIRST_SEED}\n`)
})

it('registering and folding the events equals registering anew, whatever happened', { timeout: 900_000 }, async () => {
  let found = false
  let failure = ''
  let steps = 0
  let changes = 0
  let begun = 0
  const told = new Set<string>()
  const live = async (): Promise<void> => {
    while (begun < ORGANIZATIONS && !found) {
      const seed = (FIRST_SEED + begun++) >>> 0
      const choices = randomSteps(new Random(seed), STEPS_EACH)
      const played = await play(server(), seed, choices)
      steps += played.history.length
      changes += played.changes
      for (const name of played.told) told.add(name)
      if (played.wrong.length === 0 || found) continue
      found = true
      const { history, wrong } = await shortest(choices, played, async (fewer, watching) =>
        play(server(), seed, fewer, watching),
      )
      failure = [`PARLEY_FOLD_SEED=${seed}, step ${played.history.length}`, ...played.wrong, ...history, ...wrong].join(
        '\n',
      )
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, live))
  process.stdout.write(`folding: ${steps} steps in ${begun} organizations, ${changes} of them changed something\n`)
  expect(failure).toBe('')
  const declared = capabilities.flatMap(({ events }) => events.map(({ event }) => eventName(event)))
  const untold = declared.filter((name) => !told.has(name)).toSorted()
  process.stdout.write(`folding: all of ${declared.length} events came, but ${untold.join(', ')}\n`)
  const expected = Object.keys(NEVER_TOLD)
  expect(begun < ENOUGH_ORGANIZATIONS ? expected : untold).toEqual(expected)
})

it('notices an event that changes more of the state than folding it says', async () => {
  const forgetful: typeof fold = (...folded) => fold(...folded).filter((field) => field !== 'unread_msgs')
  const { wrong } = await play(
    server(),
    FIRST_SEED,
    randomSteps(new Random(FIRST_SEED), STEPS_EACH),
    undefined,
    forgetful,
  )
  expect(wrong).toContainEqual(expect.stringMatching(/^ {2}\S+ does not name what it changes: unread_msgs$/))
})
