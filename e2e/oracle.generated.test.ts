import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { effort } from '../server/src/testing/effort.ts'
import { Random } from '../server/src/testing/random.ts'
import { useTestServer } from '../server/src/testing/server.ts'
import { holdStatementsToOrganizations } from '../server/src/testing/whose-rows.ts'
import { shortest } from '../server/src/testing/shortest.ts'
import { play, randomSteps } from './oracle/play.ts'

/*
 * Random organizations, and what everybody in them learns, compared with an oracle that knows only the specification:
 * oracle/model.ts is what happened, oracle/rules.ts who may learn of it. A difference is printed with the seed of its
 * organization and the shortest history found that shows one; PARLEY_ORACLE_SEED repeats that organization.
 */

const GIVEN = process.env['PARLEY_ORACLE_SEED']
/** The seeds are the same on every machine, so that a run says something of the change it tests. More effort reaches further seeds. */
const FIRST_SEED = Number(GIVEN ?? 1)
const ORGANIZATIONS = GIVEN === undefined ? effort(40) : 1
const STEPS_EACH = 250
/** Organizations that live at once: one waits for the database while another is busy. */
const AT_ONCE = 4
/** How often people look at their events, in steps: those who look late are told of what is past. */
const LOOKS = [1, 2, 5]

const server = useTestServer({ PARLEY_WEB_PUBLIC_CHANNELS: 'true' })
holdStatementsToOrganizations(server)
let database: pg.Pool

beforeAll(() => {
  process.stdout.write(`permission oracle: ${ORGANIZATIONS} organizations, the first has seed ${FIRST_SEED}\n`)
  database = new pg.Pool(server().database)
})
afterAll(async () => database.end())

it(
  'nobody learns anything but what they may, and everybody what they must, whatever happened',
  { timeout: 900_000 },
  async () => {
    let found = false
    let failure = ''
    let steps = 0
    let begun = 0
    const live = async (): Promise<void> => {
      while (begun < ORGANIZATIONS && !found) {
        const seed = (FIRST_SEED + begun++) >>> 0
        const lookEvery = LOOKS[seed % LOOKS.length] ?? 1
        const choices = randomSteps(new Random(seed), STEPS_EACH)
        const played = await play(server(), database, choices, { lookEvery })
        steps += played.history.length
        if (played.wrong.length === 0 || found) continue
        found = true
        const { history, wrong } = await shortest(choices, played, async (fewer, watching) =>
          play(server(), database, fewer, { lookEvery, watching }),
        )
        failure = [`PARLEY_ORACLE_SEED=${seed}`, ...history, ...wrong].join('\n')
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, live))
    process.stdout.write(`permission oracle: ${steps} steps in ${begun} organizations\n`)
    expect(failure).toBe('')
  },
)
