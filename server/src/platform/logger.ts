import type * as Pino from 'pino'

const BUFFER_BYTES = 8_192
const FLUSH_INTERVAL_MILLISECONDS = 25

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const
type Level = (typeof LOG_LEVELS)[number]

export interface Logger {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
  isLevelEnabled(level: Level): boolean
}

/** Creates a logger, which loads Pino for its first line: most starts log nothing. Commands log to stderr. */
export function createLogger(least: Level, output: 'stdout' | 'stderr' = 'stdout'): Logger {
  let opened: Pino.Logger | undefined
  const isLevelEnabled = (level: Level): boolean => LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(least)
  const logAt =
    (level: 'info' | 'warn' | 'error') =>
    (details: object, message: string): void => {
      if (isLevelEnabled(level)) (opened ??= openPino(least, output))[level](details, message)
    }
  return withoutRepeats({ info: logAt('info'), warn: logAt('warn'), error: logAt('error'), isLevelEnabled })
}

/** Collects lines, because a write per line would slow down fast responses. Remaining lines are written on exit. */
function openPino(level: string, output: 'stdout' | 'stderr'): Pino.Logger {
  // Not loaded with `import()`, because logging is synchronous.
  const { pino } = require('pino') as typeof Pino
  const lines = pino.destination({ dest: output === 'stdout' ? 1 : 2, sync: false, minLength: BUFFER_BYTES })
  let flushing: NodeJS.Timeout | undefined
  const flush = (): void => {
    flushing = undefined
    lines.flush()
  }
  const write = (line: string): void => {
    lines.write(line)
    flushing ??= setTimeout(flush, FLUSH_INTERVAL_MILLISECONDS)
  }
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write })
}

/** Interval in which a repeated error is logged once. At its end, the number of repetitions is logged. */
const REPEAT_WINDOW_MILLISECONDS = 10_000
/** While an error continues, the interval doubles up to this many windows. */
const MAX_REPEAT_WINDOWS = 6
/** With more distinct errors than this, every error is logged. */
const MAX_TRACKED_ERRORS = 200
/** Number of request IDs that a summary lists. Clients have received these IDs in error responses. */
const MAX_LISTED_REQUESTS = 20

interface RepeatedMessage {
  readonly details: object
  readonly message: string
  count: number
  reqIds: string[]
}

interface LogDetails {
  readonly reqId?: unknown
  readonly reason?: unknown
  readonly err?: unknown
}

/** Suppresses repeated errors: while the database is unreachable, thousands of requests fail for the same reason. */
export function withoutRepeats(logger: Logger, windowMilliseconds = REPEAT_WINDOW_MILLISECONDS): Logger {
  const said = new Map<string, RepeatedMessage>()
  const remember = (key: string, repeated: RepeatedMessage, milliseconds: number): void => {
    const end = (): void => {
      const { details, message, count, reqIds } = repeated
      if (count === 0) {
        said.delete(key)
        return
      }
      logger.error({ ...details, reqId: undefined, ...(reqIds.length > 0 ? { reqIds } : {}), again: count }, message)
      Object.assign(repeated, { count: 0, reqIds: [] })
      remember(key, repeated, Math.min(2 * milliseconds, MAX_REPEAT_WINDOWS * windowMilliseconds))
    }
    said.set(key, repeated)
    setTimeout(end, milliseconds).unref()
  }
  return {
    info: (details, message) => logger.info(details, message),
    warn: (details, message) => logger.warn(details, message),
    isLevelEnabled: (level) => logger.isLevelEnabled(level),
    error(details, message) {
      const key = repeatKey(details, message)
      const repeated = said.get(key)
      if (repeated !== undefined) {
        repeated.count += 1
        const { reqId }: LogDetails = details
        if (typeof reqId === 'string' && repeated.reqIds.length < MAX_LISTED_REQUESTS) repeated.reqIds.push(reqId)
        return
      }
      logger.error(details, message)
      if (said.size >= MAX_TRACKED_ERRORS) return
      remember(key, { details, message, count: 0, reqIds: [] }, windowMilliseconds)
    },
  }
}

function repeatKey({ reason, err }: LogDetails, message: string): string {
  return `${message}\n${typeof reason === 'string' ? reason : ''}\n${err instanceof Error ? err.message : ''}`
}
