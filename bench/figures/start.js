import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { median, formatNumber } from '../figure.js'
import { databaseCommand, millisecondsToAnswer, withData, withProduct } from '../parts/product.js'

const LATER_STARTS = 15
const FIRST_STARTS = 3
const MAX_FIRST_RATIO = 3
/** After five seconds, a server with existing data stores its compiled code for the next start; see bin/parley.js. */
const SETTLE_MILLISECONDS = 6_000
/** Saves Parley and the baseline from each spending 45 ms on reading additional CA certificates. */
const ENVIRONMENT = { NODE_EXTRA_CA_CERTS: '' }
const BARE_PROGRAM = fileURLToPath(new URL('../bare/start.js', import.meta.url))

/** @typedef {ReturnType<typeof databaseCommand>} Database */

/** @type {import('../figure.js').Figure} */
export const start = {
  id: 'start',
  name: 'time from command to first response at a later start, against starting only Node and PostgreSQL',
  unit: 'ms',
  goal: { atMost: 2 },
  measure: () =>
    withData(async (data) => {
      /** @type {Record<'later' | 'bareLater' | 'first' | 'bareFirst', number[]>} */
      const { later, bareLater, first, bareFirst } = { later: [], bareLater: [], first: [], bareFirst: [] }
      await measureProductStart(data)
      const database = await withProduct({ data }, async () => {
        await sleep(SETTLE_MILLISECONDS)
        return databaseCommand(data)
      })
      for (let round = 0; round < LATER_STARTS; round += 1) {
        later.push(await measureProductStart(data))
        bareLater.push(await measureBareStart(database, false))
      }
      for (let round = 0; round < FIRST_STARTS; round += 1) {
        first.push(await withData(measureProductStart))
        bareFirst.push(await measureBareFirstStart(data, database))
      }
      const firstRatio = median(first) / median(bareFirst)
      return {
        value: median(later),
        baseline: median(bareLater),
        ratio: median(later.map((time, round) => time / (bareLater[round] ?? 0))),
        holds: firstRatio <= MAX_FIRST_RATIO,
        notes: [
          `later starts: ${later.map(formatNumber).join(', ')} ms; alone ${bareLater.map(formatNumber).join(', ')} ms`,
          `first start: ratio ${formatNumber(firstRatio)}, at most ${MAX_FIRST_RATIO}; ${first.map(formatNumber).join(', ')} ms; ` +
            `alone, including creating the database files, ${bareFirst.map(formatNumber).join(', ')} ms`,
        ],
      }
    }),
}

/** @param {string} data */
async function measureProductStart(data) {
  return millisecondsToAnswer({ data, env: ENVIRONMENT })
}

/** @param {Database} database @param {boolean} isFirst */
async function measureBareStart(database, isFirst) {
  const since = performance.now()
  const child = spawn(process.execPath, [BARE_PROGRAM, JSON.stringify({ ...database, first: isFirst })], {
    env: { ...process.env, ...ENVIRONMENT },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  const milliseconds = performance.now() - since
  child.stdin.end()
  await once(child, 'exit')
  return milliseconds
}

/** Starts the baseline in an empty folder of the database's account. @param {string} data @param {Database} database */
async function measureBareFirstStart(data, database) {
  const cwd = join(data, 'postgres', 'alone')
  mkdirSync(cwd, { mode: 0o700 })
  chownSync(cwd, database.uid, database.gid)
  try {
    const command = database.command.map((word) => (word === database.cwd ? cwd : word))
    return await measureBareStart({ ...database, command, cwd }, true)
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}
