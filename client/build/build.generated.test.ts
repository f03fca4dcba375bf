import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventName } from '../../server/src/kernel/event.ts'
import { effort } from '../../server/src/testing/effort.ts'
import { Random } from '../../server/src/testing/random.ts'
import { useTestServer } from '../../server/src/testing/server.ts'
import { buildClient } from '../build.js'
import { events } from '../src/events.ts'
import type { fold } from '../src/fold.ts'
import { everyStep, play } from '../src/testing/play.ts'

const ROOT = join(import.meta.dirname, '../..')
const SEED = 1
/** Repetitions of each operation. */
const REPETITIONS = effort(5)

const server = useTestServer()
let folder = ''
let built: { readonly fold: typeof fold }

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-client-'))
  writeFileSync(join(folder, 'client.mjs'), await buildClient(ROOT))
  // Has the exports of `src/index.ts`.
  built = (await import(pathToFileURL(join(folder, 'client.mjs')).href)) as typeof built
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

it('keeps client state equal to a fresh snapshot in the browser build', { timeout: 300_000 }, async () => {
  const choices = everyStep(new Random(SEED), REPETITIONS)
  const { wrong, told } = await play(server(), SEED, choices, undefined, built.fold)
  expect(wrong).toEqual([])
  expect(events.filter((event) => told.has(eventName(event))).length).toBeGreaterThan(events.length / 2)
})
