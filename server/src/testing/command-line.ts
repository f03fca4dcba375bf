import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { runCommandLine } from '../commands/dispatch.ts'
import { createDatabase, databaseUrl, type TestDatabase } from './databases.ts'
import { TestUser } from './user.ts'

export type Environment = Readonly<Record<string, string>>

/** Makes the first start create the organization and its owner. */
export const OWNER_ENVIRONMENT: Environment = { PARLEY_OWNER_PASSWORD: 'correct-horse-battery' }

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CommandLine {
  readonly directory: string
  readonly settings: Environment
  run(args: readonly string[], options?: { environment?: Environment; input?: string }): Promise<Outcome>
  /** Sends Ctrl-C once stderr contains the text. */
  interrupt(args: readonly string[], text: string): Promise<Outcome>
  stay(command: 'start', environment?: Environment): Promise<CommandRun>
}

export interface CommandRun {
  readonly stdout: () => string
  readonly url: string
  stop(): Promise<Outcome>
  user(email: string, apiKey: string): TestUser
}

export interface CommandLineHere extends CommandLine {
  readonly database: TestDatabase
}

/**
 * Creates command lines, each with a copy of the migrated template and its own data folder. `useProgram()` creates the
 * real program with its embedded database.
 */
export function useCommandLine(): () => Promise<CommandLineHere> {
  const directories: string[] = []
  const running: Pick<CommandRun, 'stop'>[] = []
  afterEach(async () => {
    for (const server of running.splice(0)) await server.stop()
    for (const directory of directories.splice(0)) await rm(directory, { recursive: true, force: true })
  })

  return async () => {
    const [directory, database] = await Promise.all([mkdtemp(join(tmpdir(), 'parley-test-')), createDatabase()])
    directories.push(directory)
    const settings = { DATABASE_URL: databaseUrl(database), PARLEY_DATA_DIR: join(directory, 'data'), PORT: '0' }
    return {
      directory,
      database,
      settings,
      run: async (args, { environment, input = '' } = {}) => runHere(args, { ...settings, ...environment }, { input }),
      async interrupt(args, text) {
        const stop = new AbortController()
        const stopOnWarning = (warning: string): void => {
          if (warning.includes(text)) stop.abort()
        }
        return runHere(args, settings, { warned: stopOnWarning, stopped: stop.signal, input: undefined })
      },
      async stay(command, environment) {
        const stop = new AbortController()
        const output = new Output()
        const printed = (text: string): void => output.add(`${text}\n`)
        const ended = runHere([command], { ...settings, ...environment }, { printed, stopped: stop.signal })
        const stopServer = async (): Promise<Outcome> => {
          stop.abort()
          return ended
        }
        running.push({ stop: stopServer })
        return { ...(await waitForServer(output, ended)), stop: stopServer }
      },
    }
  }
}

export class Output {
  text = ''
  readonly #awaited: { text: string; resolve: () => void }[] = []

  add(text: string): void {
    this.text += text
    for (const { text: wanted, resolve } of this.#awaited) if (this.text.includes(wanted)) resolve()
  }

  async until(text: string): Promise<void> {
    if (this.text.includes(text)) return
    await new Promise<void>((resolve) => {
      this.#awaited.push({ text, resolve })
    })
  }
}

export async function waitForServer(output: Output, ended: Promise<Outcome>): Promise<Omit<CommandRun, 'stop'>> {
  await Promise.race([output.until('Ctrl-C'), ended])
  const url = / at (http\S+)/.exec(output.text)?.[1]
  if (url === undefined) throw new Error(`the server did not start: ${JSON.stringify(await ended)}`)
  return {
    stdout: () => output.text,
    url,
    user: (email, apiKey) => new TestUser(url, new URL(url).host, email, apiKey, 0),
  }
}

interface TerminalOptions {
  readonly isInteractive?: boolean
  readonly printed?: (text: string) => void
  readonly warned?: (text: string) => void
  readonly stopped?: AbortSignal
  /** If undefined, stdin stays open without input. */
  readonly input?: string | undefined
}

export async function runHere(
  args: readonly string[],
  environment: Environment,
  options: TerminalOptions = {},
): Promise<Outcome> {
  const { isInteractive = false, printed, warned, stopped = new AbortController().signal } = options
  const input = 'input' in options ? options.input : ''
  let stdout = ''
  let stderr = ''
  const code = await runCommandLine(args, {
    environment,
    program: 'node bin/parley.js',
    isInteractive,
    userId: process.geteuid?.(),
    isWatched: false,
    watch: () => undefined,
    print: (text) => {
      stdout += `${text}\n`
      printed?.(text)
    },
    warn: (text) => {
      stderr += `${text}\n`
      warned?.(text)
    },
    readInput: async () => Promise.resolve(input ?? ''),
    readLine: async (signal) => {
      if (input === undefined) await once(new EventTarget(), 'input', { signal })
      return input?.split(/\r?\n/)[0] ?? ''
    },
    stopSignal: () => stopped,
  })
  return { code, stdout, stderr }
}
