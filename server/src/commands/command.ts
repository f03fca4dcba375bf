import { parseArgs, type ParseArgsConfig } from 'node:util'
import { readConfig, type Config } from '../config.ts'
import { messageOf } from '../kernel/phrases.ts'
import { isFullDatabase } from '../platform/db/unavailable.ts'
import { isFullDisk, StoreFullError } from '../platform/files/store.ts'

/** Access to the process. Only main.ts passes the real process. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly program: string
  /** Whether stdout is a terminal. If not, the output may be stored, so it contains only requested secrets. */
  readonly isInteractive: boolean
  readonly userId: number | undefined
  readonly isWatched: boolean
  /** Replaces the last line if stderr is a terminal. An empty text clears the line. */
  watch(text: string): void
  print(text: string): void
  warn(text: string): void
  readInput(): Promise<string>
  /** @throws AbortError if the signal is aborted first */
  readLine(signal: AbortSignal): Promise<string>
  /** Always returns the same signal. Ctrl-C or SIGTERM aborts it; a second Ctrl-C ends the process. */
  stopSignal(): AbortSignal
}

export interface Command {
  readonly usage: string
  run(args: readonly string[], terminal: Terminal): Promise<void>
}

/** Error that the operator can fix; printed without a stack. */
export class CliError extends Error {
  override readonly name: string = 'CliError'
}

export class DamageError extends CliError {
  override readonly name = 'DamageError'
}

export class UsageError extends CliError {
  override readonly name = 'UsageError'
}

type Options = NonNullable<ParseArgsConfig['options']>
type ParsedArguments<Shape extends Options> = ReturnType<
  typeof parseArgs<{ args: string[]; allowPositionals: true; options: Shape }>
>

/** `names` are the names of the positional arguments, all of which are required. @throws UsageError */
export function parseCommand<Shape extends Options>(
  args: readonly string[],
  names: readonly string[],
  options: Shape,
): { values: ParsedArguments<Shape>['values']; positionals: string[] } {
  let parsed: ParsedArguments<Shape>
  try {
    parsed = parseArgs({ args: [...args], allowPositionals: true, options })
  } catch (error) {
    // Keeps the first sentence, which names the unknown option. The rest explains how to pass it as an argument.
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

export function requireOption(value: string | undefined, name: string): string {
  if (value === undefined) throw new UsageError(`--${name} is missing.`)
  return value
}

/** Reads the environment. `overrides` replace variables; an empty string unsets the variable. @throws CliError */
export function loadConfig(terminal: Terminal, overrides: Readonly<Record<string, string>> = {}): Config {
  try {
    return readConfig({ ...terminal.environment, ...overrides })
  } catch (error) {
    throw new CliError(messageOf(error), { cause: error })
  }
}

export async function toCliError<Result>(promise: Promise<Result>, what?: string): Promise<Result> {
  try {
    return await promise
  } catch (error) {
    if (error instanceof CliError || isBug(error)) throw error
    const message = messageOf(error)
    throw new CliError(what === undefined ? message : `${what}: ${message}`, { cause: error })
  }
}

function isBug(error: unknown): boolean {
  return [TypeError, RangeError, ReferenceError].some((kind) => error instanceof kind)
}

export function isErrorWithCode(error: unknown, codes: readonly string[]): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code)
}

/** Returns an error that names the full disk or database; undefined for other errors. `outcome`: sentence to append. */
export function spaceError(error: unknown, place: string, outcome: string): CliError | undefined {
  const cause = error instanceof CliError ? error.cause : error
  const isFull = isFullDatabase(cause) || (isFullDisk(cause) && !(cause instanceof StoreFullError))
  if (!isFull) return undefined
  return new CliError(`No space left in ${place}: ${messageOf(cause)}. ${outcome}`, { cause })
}
