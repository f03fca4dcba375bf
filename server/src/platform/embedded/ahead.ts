import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { startEmbeddedPostgres, type EmbeddedOptions, type EmbeddedPostgres } from './start.ts'

/*
 * Starts PostgreSQL while the program is still loading, because both take equally long. Only for existing data: a small
 * amount of code starts the server, and the program takes it over after reading its arguments.
 */

interface Ahead {
  readonly dataDirectory: string
  readonly postgres: Promise<EmbeddedPostgres>
  /** Redirects the server's log to the program's. */
  readonly logTo: (log: EmbeddedOptions['log']) => void
  /** Hands signals over to the program, including one already received. */
  readonly release: () => void
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

let ahead: Ahead | undefined

/**
 * Starts PostgreSQL for `parley start`. Creates nothing, because the environment is not checked yet. Resolves when the
 * server process has started or cannot start.
 * @returns whether the data directory is certainly new
 */
export async function startAhead(environment: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  if (environment['DATABASE_URL']) return false
  // Same as in config.ts.
  const dataDirectory = resolve(environment['PARLEY_DATA_DIR'] || 'data')
  if (!existsSync(join(dataDirectory, 'postgres/data/postmaster.opts'))) return true
  const kept: Parameters<EmbeddedOptions['log']>[] = []
  let log: EmbeddedOptions['log'] = (...line) => void kept.push(line)
  let told: NodeJS.Signals | undefined
  const note = (signal: NodeJS.Signals): void => void (told ??= signal)
  for (const signal of SIGNALS) process.on(signal, note)
  await new Promise<void>((started) => {
    const postgres = startEmbeddedPostgres({ dataDirectory, log: (...line) => log(...line), meanwhile: started })
    ahead = {
      dataDirectory,
      postgres,
      logTo(next) {
        for (const line of kept.splice(0)) next(...line)
        log = next
      },
      release() {
        for (const signal of SIGNALS) process.off(signal, note)
        if (told !== undefined) process.kill(process.pid, told)
      },
    }
    // The program that takes over the server gets the error.
    postgres.catch(() => started())
  })
  return false
}

/** Returns the database server of a data directory, which may already be starting. */
export async function embeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  if (ahead?.dataDirectory !== resolve(options.dataDirectory)) return startEmbeddedPostgres(options)
  const { postgres, logTo, release } = ahead
  ahead = undefined
  release()
  logTo(options.log)
  return postgres
}

export async function abandonAhead(): Promise<void> {
  if (ahead === undefined) return
  const { postgres } = ahead
  ahead = undefined
  await postgres.then(
    async (running) => running.stop(),
    () => undefined,
  )
}
