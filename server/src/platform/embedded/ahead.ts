import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { startEmbeddedPostgres, type EmbeddedOptions, type EmbeddedPostgres } from './start.ts'

/*
 * The database server takes as long to start as the program takes to load. On data that was used before, the server
 * is started first, by the little code that this needs, and the program takes it over once it has read its arguments.
 */

interface Ahead {
  readonly dataDirectory: string
  readonly postgres: Promise<EmbeddedPostgres>
  /** From now on the program handles signals itself; it gets the signal that came before. */
  readonly logTo: (log: EmbeddedOptions['log']) => void
  /** From then on signals are the program's; it gets the one that came before. */
  readonly release: () => void
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

let ahead: Ahead | undefined

/**
 * For `parley start` alone, before its environment was checked: so nothing is made that was not there.
 * Resolves when the server process was started, or cannot be.
 * @returns whether the data are certainly new
 */
export async function startAhead(environment: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  if (environment['DATABASE_URL']) return false
  // As config.ts has them.
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
    // The program that takes the server over is told why it failed.
    postgres.catch(() => started())
  })
  return false
}

/** The database server of a data directory, which may have been started ahead. */
export async function embeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  if (ahead?.dataDirectory !== resolve(options.dataDirectory)) return startEmbeddedPostgres(options)
  const { postgres, logTo, release } = ahead
  ahead = undefined
  release()
  logTo(options.log)
  return postgres
}

/**
 * Stops the server that was started ahead if the program did not take it over, because it was asked for something
 * else.
 */
export async function abandonAhead(): Promise<void> {
  if (ahead === undefined) return
  const { postgres } = ahead
  ahead = undefined
  await postgres.then(
    async (running) => running.stop(),
    () => undefined,
  )
}
