import { Random } from '../../../server/src/testing/random.ts'
import type { TestServer } from '../../../server/src/testing/server.ts'
import { shortestFailure } from '../../../server/src/testing/shortest.ts'
import { play, type Choice, type PlayResult } from './play.ts'

/** Number of organizations in parallel: one can use the CPU while another waits for the database. */
const ORGANIZATIONS_AT_ONCE = 4

/** Seed of the only organization to run, to repeat a failure. */
const GIVEN_SEED = process.env['PARLEY_FOLD_SEED']

export interface FoldingResult {
  /** Seed, shortest failing history that was found, and differences; empty on success. */
  readonly failure: string
  /** Events that clients received, by `type` or `type/op`. */
  readonly told: ReadonlySet<string>
}

/**
 * Runs an organization per seed and compares its clients' states with fresh registrations.
 * @param choose generates its history
 */
export async function foldHistories(
  server: TestServer,
  seeds: readonly number[],
  choose: (random: Random) => readonly Choice[],
): Promise<FoldingResult> {
  const waiting = GIVEN_SEED === undefined ? [...seeds] : [Number(GIVEN_SEED)]
  const told = new Set<string>()
  let failure = ''
  let steps = 0
  let changes = 0
  const live = async (): Promise<void> => {
    for (let seed = waiting.shift(); seed !== undefined && failure === ''; seed = waiting.shift()) {
      const choices = choose(new Random(seed))
      const played = await play(server, seed, choices)
      steps += played.history.length
      changes += played.changes
      for (const name of played.told) told.add(name)
      if (played.wrong.length > 0) failure ||= await describeFailure(server, seed, choices, played)
    }
  }
  await Promise.all(Array.from({ length: ORGANIZATIONS_AT_ONCE }, live))
  process.stdout.write(`folding: seeds ${seeds.join(', ')}: ${steps} steps, ${changes} with changes\n`)
  return { failure, told }
}

async function describeFailure(
  server: TestServer,
  seed: number,
  choices: readonly Choice[],
  played: PlayResult,
): Promise<string> {
  const { history, wrong } = await shortestFailure(choices, played, async (fewer, watching) =>
    play(server, seed, fewer, watching),
  )
  const first = [`PARLEY_FOLD_SEED=${seed} npm run test:sweeps -- fold, step ${played.history.length}`, ...played.wrong]
  return [...first, ...history, ...wrong].join('\n')
}
