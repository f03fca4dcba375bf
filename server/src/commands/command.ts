import { parseArgs, type ParseArgsConfig } from 'node:util'
import { readConfig, type Config } from '../config.ts'
import { messageOf } from '../kernel/phrases.ts'

/** Interface between commands and their process; only main.ts accesses the real one. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Shell command with which this program was started. */
  readonly program: string
  /** Whether stdout is a terminal. If not, output may be stored, so it contains only requested secrets. */
  readonly isInteractive: boolean
  /** UID of the process, if the system has UIDs. */
  readonly userId: number | undefined
  /** Whether stderr is a terminal, which can show progress. */
  readonly isWatched: boolean
  /** Replaces the last line of stderr if it is a terminal; an empty text clears the line. */
  watch(text: string): void
  /** Writes a line to stdout. */
  print(text: string): void
  /** Writes a line to stderr. */
  warn(text: string): void
  /** Reads all of stdin. */
  readInput(): Promise<string>
  /**
   * Reads a line from stdin.
   * @throws AbortError if the signal is aborted first
   */
  readLine(signal: AbortSignal): Promise<string>
  /**
   * Returns a signal that Ctrl-C and SIGTERM abort, instead of ending the process; always the same one. A second Ctrl-C
   * or SIGTERM ends the process anyway.
   */
  stopSignal(): AbortSignal
}

export interface Command {
  /** Output of `--help`. */
  readonly usage: string
  run(args: readonly string[], terminal: Terminal): Promise<void>
}

/** Error that the operator can fix; printed without a stack. */
export class Complaint extends Error {
  override readonly name: string = 'Complaint'
}

/** A backup or archive is incomplete or damaged. */
export class DamageComplaint extends Complaint {
  override readonly name = 'DamageComplaint'
}

/** Invalid command line. */
export class UsageError extends Complaint {
  override readonly name = 'UsageError'
}

type Options = NonNullable<ParseArgsConfig['options']>
type Parsed<Shape extends Options> = ReturnType<
  typeof parseArgs<{ args: string[]; allowPositionals: true; options: Shape }>
>

/**
 * Parses a command's arguments.
 * @param names of the positional arguments, all required
 * @throws UsageError
 */
export function parseCommand<Shape extends Options>(
  args: readonly string[],
  names: readonly string[],
  options: Shape,
): { values: Parsed<Shape>['values']; positionals: string[] } {
  let parsed: Parsed<Shape>
  try {
    parsed = parseArgs({ args: [...args], allowPositionals: true, options })
  } catch (error) {
    // The first sentence names the option; further ones explain how to pass such a word anyway.
    const [sentence = ''] = messageOf(error).split('. ')
    throw new UsageError(`${sentence.replace(/\.$/, '')}.`, { cause: error })
  }
  const { values, positionals } = parsed
  const missing = names[positionals.length]
  if (missing !== undefined) throw new UsageError(`${missing} is missing.`)
  const extra = positionals[names.length]
  if (extra !== undefined) throw new UsageError(`Unexpected argument '${extra}'.`)
  return { values, positionals }
}

/** Requires an option. */
export function required(value: string | undefined, name: string): string {
  if (value === undefined) throw new UsageError(`--${name} is missing.`)
  return value
}

/**
 * Reads the configuration from the environment.
 * @param overrides values set by the command; an empty string unsets a variable
 * @throws Complaint naming the variable
 */
export function configOf(terminal: Terminal, overrides: Readonly<Record<string, string>> = {}): Config {
  try {
    return readConfig({ ...terminal.environment, ...overrides })
  } catch (error) {
    throw new Complaint(messageOf(error), { cause: error })
  }
}

/** Awaits work that can fail for external reasons, which are printed without a stack. */
export async function orComplain<Result>(promise: Promise<Result>, what?: string): Promise<Result> {
  try {
    return await promise
  } catch (error) {
    if (error instanceof Complaint || isBug(error)) throw error
    const message = messageOf(error)
    throw new Complaint(what === undefined ? message : `${what}: ${message}`, { cause: error })
  }
}

function isBug(error: unknown): boolean {
  return [TypeError, RangeError, ReferenceError].some((kind) => error instanceof kind)
}

export function isErrorWithCode(error: unknown, codes: readonly string[]): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code)
}
