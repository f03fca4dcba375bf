import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeAll, type afterAll } from 'vitest'
import {
  Output,
  waitForServer,
  type CommandLine,
  type Environment,
  type Outcome,
  type CommandRun,
} from './command-line.ts'

export const PROGRAM = join(resolve(import.meta.dirname, '../../..'), 'bin/parley.js')

export interface Program extends CommandLine {
  run(
    args: readonly string[],
    options?: { environment?: Environment; input?: string; limits?: Limits },
  ): Promise<Outcome>
  /** Sends the signal once stderr contains the text. */
  interrupt(args: readonly string[], text: string, signal?: 'SIGINT' | 'SIGKILL'): Promise<Outcome>
  stay(command: 'start' | 'demo', environment?: Environment, limits?: Limits): Promise<RunningProgram>
}

export interface RunningProgram extends CommandRun {
  readonly processId: number
  stop(signal?: 'SIGTERM' | 'SIGINT' | 'SIGHUP'): Promise<Outcome>
}

interface Limits {
  readonly descriptors?: number
  readonly fileKibibytes?: number
}

/**
 * Runs the real program, each time with its own data folder. `useCommandLine()` is much cheaper.
 * @param cleanUp hook that stops the programs and removes their data folders
 */
export function useProgram(
  cleanUp: typeof afterEach | typeof afterAll = afterEach,
): (settings?: Environment) => Promise<Program> {
  const directories: string[] = []
  const children: ChildProcess[] = []
  // Builds the program if its sources are newer.
  beforeAll(async () => promisify(execFile)(process.execPath, [PROGRAM, '--version']))
  cleanUp(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM')
        await once(child, 'exit')
      }
    }
    for (const directory of directories.splice(0)) await rm(directory, { recursive: true, force: true })
  })

  return async (others = {}) => {
    const directory = await mkdtemp(join(tmpdir(), 'parley-test-'))
    directories.push(directory)
    const settings = { PARLEY_DATA_DIR: join(directory, 'data'), PORT: '0', ...others }
    const begin = (args: readonly string[], environment: Environment, limits: Limits = {}): StartedProgram => {
      const { PATH = '', HOME = '' } = process.env
      const env = { PATH, HOME, TMPDIR: directory, ...settings, ...environment }
      const command = [process.execPath, PROGRAM, ...args]
      const child = spawn('bash', ['-c', `${ulimits(limits)}exec "$@"`, 'bash', ...command], { env })
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
      async interrupt(args, text, signal = 'SIGINT') {
        const { child, ended } = begin(args, {})
        let stderr = ''
        child.stderr?.on('data', (written: string) => {
          const before = stderr
          stderr += written
          if (!before.includes(text) && stderr.includes(text)) child.kill(signal)
        })
        return ended
      },
      async stay(command, environment = {}, limits = {}) {
        const { child, ended, output } = begin([command], environment, limits)
        return {
          ...(await waitForServer(output, ended)),
          processId: child.pid ?? 0,
          async stop(signal = 'SIGTERM') {
            child.kill(signal)
            return ended
          },
        }
      },
    }
  }
}

function ulimits({ descriptors, fileKibibytes }: Limits): string {
  return [
    descriptors === undefined ? '' : `ulimit -n ${descriptors}; `,
    fileKibibytes === undefined ? '' : `ulimit -f ${fileKibibytes}; `,
  ].join('')
}

interface StartedProgram {
  readonly child: ChildProcess
  readonly ended: Promise<Outcome>
  readonly output: Output
}

function collect(child: ChildProcess): StartedProgram {
  const output = new Output()
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => output.add(text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return {
    child,
    output,
    ended: new Promise((end, reject) => {
      child.once('error', reject)
      child.once('close', (code) => end({ code, stdout: output.text, stderr }))
    }),
  }
}
