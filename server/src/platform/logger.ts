import type * as Pino from 'pino'

/** Lines of the log wait for each other until there are this many, or for this long. */
const LOG_BYTES = 8_192
const LOG_MILLISECONDS = 25

/** From the most talkative to the one that says nothing. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const
type Level = (typeof LOG_LEVELS)[number]

/** The part of pino's interface that the server uses. */
export interface Logger {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
  isLevelEnabled(level: Level): boolean
}

/**
 * A log. It is loaded with its first line, and most starts have nothing to say.
 * @param output where it goes: what a server prints is its log, and what a command prints is its answer
 */
export function createLogger(least: Level, output: 'stdout' | 'stderr' = 'stdout'): Logger {
  let opened: Pino.Logger | undefined
  const isLevelEnabled = (level: Level): boolean => LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(least)
  const saying =
    (level: 'info' | 'warn' | 'error') =>
    (details: object, message: string): void => {
      if (isLevelEnabled(level)) (opened ??= open(least, output))[level](details, message)
    }
  return withoutRepeats({ info: saying('info'), warn: saying('warn'), error: saying('error'), isLevelEnabled })
}

/** Writes lines together, as beside a fast answer a write of its own takes long; what waits when we end is written. */
function open(level: string, output: 'stdout' | 'stderr'): Pino.Logger {
  // As in kernel/schemas.ts.
  const { pino } = require('pino') as typeof Pino
  const lines = pino.destination({ dest: output === 'stdout' ? 1 : 2, sync: false, minLength: LOG_BYTES })
  let flushing: NodeJS.Timeout | undefined
  const flush = (): void => {
    flushing = undefined
    lines.flush()
  }
  const write = (line: string): void => {
    lines.write(line)
    flushing ??= setTimeout(flush, LOG_MILLISECONDS)
  }
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write })
}

/** The same error is said once in this time, and at its end how often it came again. */
const WINDOW_MILLISECONDS = 10_000
/** While it goes on, that is said after twice as long each time, and at least once in so many of these. */
const MOST_WINDOWS = 6
/** Different errors that are remembered; beyond that each is said. */
const MOST_ERRORS = 200
/** Requests are named, since their clients were told the ids, as long as there are not too many. */
const MOST_NAMED = 20

interface Repeated {
  readonly details: object
  readonly message: string
  /** Since it was said last, and in which requests. */
  count: number
  reqIds: string[]
}

/** What errors and the parts of the server that report them say about themselves. */
interface Details {
  readonly reqId?: unknown
  readonly reason?: unknown
  readonly err?: unknown
}

/**
 * Says an error that comes again and again once, and how often it came: while a database is away, each of thousands of requests
 * has the same to say, and the line that explains it must still be found.
 */
export function withoutRepeats(logger: Logger, windowMilliseconds = WINDOW_MILLISECONDS): Logger {
  const said = new Map<string, Repeated>()
  const remember = (key: string, repeated: Repeated, milliseconds: number): void => {
    const end = (): void => {
      const { details, message, count, reqIds } = repeated
      if (count === 0) {
        said.delete(key)
        return
      }
      logger.error({ ...details, reqId: undefined, ...(reqIds.length > 0 ? { reqIds } : {}), again: count }, message)
      Object.assign(repeated, { count: 0, reqIds: [] })
      remember(key, repeated, Math.min(2 * milliseconds, MOST_WINDOWS * windowMilliseconds))
    }
    said.set(key, repeated)
    setTimeout(end, milliseconds).unref()
  }
  return {
    info: (details, message) => logger.info(details, message),
    warn: (details, message) => logger.warn(details, message),
    isLevelEnabled: (level) => logger.isLevelEnabled(level),
    error(details, message) {
      const key = keyOf(details, message)
      const repeated = said.get(key)
      if (repeated !== undefined) {
        repeated.count += 1
        const { reqId }: Details = details
        if (typeof reqId === 'string' && repeated.reqIds.length < MOST_NAMED) repeated.reqIds.push(reqId)
        return
      }
      logger.error(details, message)
      if (said.size >= MOST_ERRORS) return
      remember(key, { details, message, count: 0, reqIds: [] }, windowMilliseconds)
    },
  }
}

function keyOf({ reason, err }: Details, message: string): string {
  return `${message}\n${typeof reason === 'string' ? reason : ''}\n${err instanceof Error ? err.message : ''}`
}
