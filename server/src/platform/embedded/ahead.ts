import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { startEmbeddedPostgres, type EmbeddedOptions, type EmbeddedPostgres } from './start.ts'

/* Starts PostgreSQL with existing data while the program is loading; both take equally long. */

interface StartingPostgres {
  readonly dataDirectory: string
  readonly postgres: Promise<EmbeddedPostgres>
  readonly logTo: (log: EmbeddedOptions['log']) => void
  /** Stops holding signals back, and repeats the first signal that was held back. */
  readonly release: () => void
}

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

let startingPostgres: StartingPostgres | undefined

/** Starts PostgreSQL with existing data. Resolves when it runs or fails. Returns whether the data is certainly new. */
export async function startPostgresAhead(environment: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  if (environment['DATABASE_URL']) return false
  // The same default as in config.ts.
  const dataDirectory = resolve(environment['PARLEY_DATA_DIR'] || 'data')
  if (!existsSync(join(dataDirectory, 'postgres/data/postmaster.opts'))) return true
  const kept: Parameters<EmbeddedOptions['log']>[] = []
  let log: EmbeddedOptions['log'] = (...line) => void kept.push(line)
  let firstSignal: NodeJS.Signals | undefined
  const note = (signal: NodeJS.Signals): void => void (firstSignal ??= signal)
  for (const signal of STOP_SIGNALS) process.on(signal, note)
  await new Promise<void>((started) => {
    const postgres = startEmbeddedPostgres({ dataDirectory, log: (...line) => log(...line), meanwhile: started })
    startingPostgres = {
      dataDirectory,
      postgres,
      logTo(next) {
        for (const line of kept.splice(0)) next(...line)
        log = next
      },
      release() {
        for (const signal of STOP_SIGNALS) process.off(signal, note)
        if (firstSignal !== undefined) process.kill(process.pid, firstSignal)
      },
    }
    // The program gets the error when it takes over PostgreSQL.
    postgres.catch(() => started())
  })
  return false
}

export async function openEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  if (startingPostgres?.dataDirectory !== resolve(options.dataDirectory)) return startEmbeddedPostgres(options)
  const { postgres, logTo, release } = startingPostgres
  startingPostgres = undefined
  release()
  logTo(options.log)
  return postgres
}

export async function stopUnusedPostgres(): Promise<void> {
  if (startingPostgres === undefined) return
  const { postgres } = startingPostgres
  startingPostgres = undefined
  await postgres.then(
    async (running) => running.stop(),
    () => undefined,
  )
}
