import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { Random } from '../../server/src/testing/random.ts'
import { useTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { shortestFailure } from '../../server/src/testing/shortest.ts'
import { requireOrganizationInStatements } from '../../server/src/testing/whose-rows.ts'
import { playSteps, randomSteps } from './play.ts'

/** Seed of the only organization to run, to repeat a failure. */
const GIVEN_SEED = process.env['PARLEY_ORACLE_SEED']
/** Number of organizations in parallel: one can use the CPU while another waits for the database. */
const CONCURRENT_ORGANIZATIONS = 4
/** Steps between polls. Users who poll rarely receive events about the past. */
const STEPS_BETWEEN_POLLS = [1, 2, 5]

interface Oracle {
  readonly server: TestServer
  readonly database: pg.Pool
}

export function useOracle(): () => Oracle {
  const server = useTestServer({ PARLEY_WEB_PUBLIC_CHANNELS: 'true' })
  requireOrganizationInStatements(server)
  let database: pg.Pool | undefined
  beforeAll(() => {
    database = new pg.Pool(server().database)
  })
  afterAll(async () => database?.end())
  return () => {
    if (database === undefined) throw new Error('the server starts in beforeAll')
    return { server: server(), database }
  }
}

/**
 * Plays an organization for each seed and compares what everyone in it learns with the oracle.
 * @returns the seed and the shortest history found that show a difference; empty if there is none
 */
export async function findDifference(
  { server, database }: Oracle,
  seeds: readonly number[],
  stepsEach: number,
): Promise<string> {
  const waiting = GIVEN_SEED === undefined ? [...seeds] : [Number(GIVEN_SEED)]
  let failure = ''
  let steps = 0
  const live = async (): Promise<void> => {
    for (let seed = waiting.shift(); seed !== undefined && failure === ''; seed = waiting.shift()) {
      const lookEvery = STEPS_BETWEEN_POLLS[seed % STEPS_BETWEEN_POLLS.length] ?? 1
      const choices = randomSteps(new Random(seed), stepsEach)
      const played = await playSteps(server, database, choices, { lookEvery })
      steps += played.history.length
      if (played.wrong.length === 0 || failure !== '') continue
      const { history, wrong } = await shortestFailure(choices, played, async (fewer, watching) =>
        playSteps(server, database, fewer, { lookEvery, watching }),
      )
      failure = [`PARLEY_ORACLE_SEED=${seed} npm run test:sweeps -- oracle`, ...history, ...wrong].join('\n')
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_ORGANIZATIONS }, live))
  process.stdout.write(`permission oracle: seeds ${seeds.join(', ')}: ${steps} steps\n`)
  return failure
}
