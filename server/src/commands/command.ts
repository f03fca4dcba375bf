import { parseArgs, type ParseArgsConfig } from 'node:util'
import { readConfig, type Config } from '../config.ts'
import { messageOf } from '../kernel/message-of.ts'

/** What a command knows of the process it runs in; main.ts alone touches the real one. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** How a shell calls this program where it was started. */
  readonly program: string
  /** Whether a person reads stdout. Otherwise it may be stored, and gets only secrets that were asked for. */
  readonly isInteractive: boolean
  /** The account that the process runs under, where the system has such. */
  readonly userId: number | undefined
  /** Whether a person watches stderr, and so a line that is written over and over. */
  readonly isWatched: boolean
  /** Writes over the last line of stderr, where a person watches it; an empty text takes the line away. */
  watch(text: string): void
  /** Writes to stdout, and ends the line. */
  print(text: string): void
  /** Writes to stderr, and ends the line. */
  warn(text: string): void
  /** All of stdin. */
  readInput(): Promise<string>
  /**
   * The next line of stdin, which a person types.
   * @throws AbortError when the signal is aborted before
   */
  readLine(signal: AbortSignal): Promise<string>
  /**
   * From here on Ctrl-C and SIGTERM abort this signal, which is always the same, instead of ending the process. A second one
   * ends it all the same.
   */
  stopSignal(): AbortSignal
}

export interface Command {
  /** What `--help` prints. */
  readonly usage: string
  run(args: readonly string[], terminal: Terminal): Promise<void>
}

/** What the person at the terminal can put right: printed as a sentence, without a stack. */
export class Complaint extends Error {
  override readonly name: string = 'Complaint'
}

/** A backup that is not whole, or not as it was written. */
export class DamageComplaint extends Complaint {
  override readonly name = 'DamageComplaint'
}

/** A command line that means nothing. */
export class UsageError extends Complaint {
  override readonly name = 'UsageError'
}

type Options = NonNullable<ParseArgsConfig['options']>
type Parsed<Shape extends Options> = ReturnType<
  typeof parseArgs<{ args: string[]; allowPositionals: true; options: Shape }>
>

/**
 * Reads a command's arguments.
 * @param names of the positional arguments, all of which must be there
 * @throws UsageError that names what is wrong
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
    // Its first sentence names the option; what may follow explains how to pass such a word all the same.
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

/** An option that must be given. */
export function required(value: string | undefined, name: string): string {
  if (value === undefined) throw new UsageError(`--${name} is missing.`)
  return value
}

/**
 * The environment as configuration.
 * @param overrides what this command decides itself; an empty string unsets
 * @throws Complaint that names the variable
 */
export function configOf(terminal: Terminal, overrides: Readonly<Record<string, string>> = {}): Config {
  try {
    return readConfig({ ...terminal.environment, ...overrides })
  } catch (error) {
    throw new Complaint(messageOf(error), { cause: error })
  }
}

/** Waits for something that fails for reasons outside this program; they are told without a stack. */
export async function orComplain<Result>(promise: Promise<Result>, what?: string): Promise<Result> {
  try {
    return await promise
  } catch (error) {
    if (error instanceof Complaint || isBug(error)) throw error
    const message = messageOf(error)
    throw new Complaint(what === undefined ? message : `${what}: ${message}`, { cause: error })
  }
}

/** What only a mistake in this program throws. */
function isBug(error: unknown): boolean {
  return [TypeError, RangeError, ReferenceError].some((kind) => error instanceof kind)
}

export function isErrorWithCode(error: unknown, codes: readonly string[]): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code)
}
