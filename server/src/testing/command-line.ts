import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeAll } from 'vitest'
import { runCommandLine } from '../commands/dispatch.ts'
import { TestUser } from './user.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
export const PROGRAM = join(ROOT, 'bin/parley.js')

type Environment = Readonly<Record<string, string>>

/** Has the first start make the organization with its owner, where the test needs one. */
export const OWNED: Environment = { PARLEY_OWNER_PASSWORD: 'correct-horse-battery' }

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The real program in a process of its own, on a data directory that is gone after the test. */
export interface CommandLine {
  readonly directory: string
  /** What its processes are told. */
  readonly settings: Environment
  /** Runs a command to its end. */
  run(
    args: readonly string[],
    options?: { environment?: Environment; input?: string; limits?: Limits },
  ): Promise<Outcome>
  /** Runs a command to its end, and presses Ctrl-C where it has said something, while nothing comes from stdin. */
  interrupt(args: readonly string[], said: string): Promise<Outcome>
  /** Runs a command that stays, until it says how to stop it. */
  stay(command: 'start' | 'demo', environment?: Environment, limits?: Limits): Promise<Running>
}

/** What a process may have. */
interface Limits {
  /** Descriptors, of which the database has as many. */
  readonly descriptors?: number
  /** The size of each file that it writes, in kibibytes. */
  readonly fileKibibytes?: number
}

export interface Running {
  /** All that it has printed so far. */
  readonly stdout: () => string
  /** Where it says that it can be reached. */
  readonly url: string
  stop(signal?: 'SIGTERM' | 'SIGINT'): Promise<Outcome>
  /** A user who has an account there. */
  user(email: string, apiKey: string): TestUser
}

export function useCommandLine(): () => Promise<CommandLine> {
  const directories: string[] = []
  const children: ChildProcess[] = []
  // Builds the program if its sources are newer.
  beforeAll(async () => promisify(execFile)(process.execPath, [join(ROOT, 'bin/parley.js'), '--version']))
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM')
        await once(child, 'exit')
      }
    }
    for (const directory of directories.splice(0)) await rm(directory, { recursive: true, force: true })
  })

  return async () => {
    const directory = await mkdtemp(join(tmpdir(), 'parley-test-'))
    directories.push(directory)
    const settings = { PARLEY_DATA_DIR: join(directory, 'data'), PORT: '0' }
    const begin = (
      args: readonly string[],
      environment: Environment,
      { descriptors, fileKibibytes }: Limits = {},
    ): Begun => {
      // Nothing of the environment that the tests run in, except what programs are found with.
      const { PATH = '', HOME = '' } = process.env
      const env = { PATH, HOME, TMPDIR: directory, ...settings, ...environment }
      const program = [process.execPath, PROGRAM, ...args]
      const limits = [
        descriptors === undefined ? '' : `ulimit -n ${descriptors}; `,
        fileKibibytes === undefined ? '' : `ulimit -f ${fileKibibytes}; `,
      ]
      const child = spawn('bash', ['-c', `${limits.join('')}exec "$@"`, 'bash', ...program], { env })
      children.push(child)
      return collect(child)
    }
    return {
      directory,
      settings,
      async run(args, { environment = {}, input = '', limits = {} } = {}) {
        const { child, ended } = begin(args, environment, limits)
        child.stdin?.end(input)
        return ended
      },
      async interrupt(args, said) {
        const { child, ended } = begin(args, {})
        let stderr = ''
        child.stderr?.on('data', (text: string) => {
          const before = stderr
          stderr += text
          if (!before.includes(said) && stderr.includes(said)) child.kill('SIGINT')
        })
        return ended
      },
      async stay(command, environment = {}, limits = {}) {
        const { child, ended, printed, stdout } = begin([command], environment, limits)
        await Promise.race([printed('Ctrl-C'), ended])
        const url = / at (http\S+)/.exec(stdout())?.[1]
        if (url === undefined) throw new Error(`${command} did not stay: ${JSON.stringify(await ended)}`)
        return {
          stdout,
          url,
          async stop(signal = 'SIGTERM') {
            child.kill(signal)
            return ended
          },
          user: (email, apiKey) => new TestUser(url, new URL(url).host, email, apiKey, 0),
        }
      },
    }
  }
}

/** Runs the command line in this process: for what fails before there is anything to start or to stop. */
export async function runHere(
  args: readonly string[],
  environment: Environment,
  { isInteractive = false, printed = (_text: string): void => undefined, stopped = new AbortController().signal } = {},
): Promise<Outcome> {
  let stdout = ''
  let stderr = ''
  const code = await runCommandLine(args, {
    environment,
    program: 'npx parley',
    isInteractive,
    userId: process.geteuid?.(),
    isWatched: false,
    watch: () => undefined,
    print: (text) => {
      stdout += `${text}\n`
      printed(text)
    },
    warn: (text) => void (stderr += `${text}\n`),
    readInput: async () => Promise.resolve(''),
    readLine: async () => Promise.resolve(''),
    stopSignal: () => stopped,
  })
  return { code, stdout, stderr }
}

interface Begun {
  readonly child: ChildProcess
  readonly ended: Promise<Outcome>
  readonly stdout: () => string
  /** Resolves when this has been written to stdout. */
  readonly printed: (text: string) => Promise<void>
}

function collect(child: ChildProcess): Begun {
  let stdout = ''
  let stderr = ''
  const awaited: { text: string; resolve: () => void }[] = []
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    for (const { text: wanted, resolve: found } of awaited) if (stdout.includes(wanted)) found()
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return {
    child,
    stdout: () => stdout,
    ended: once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr })), // as Node documents
    printed: async (text) =>
      new Promise<void>((found) => {
        if (stdout.includes(text)) found()
        else awaited.push({ text, resolve: found })
      }),
  }
}
