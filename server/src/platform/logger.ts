import type * as Pino from 'pino'
import { withoutRepeats } from './repeats.ts'

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

/** A log on standard output. It is loaded with its first line, and most starts have nothing to say. */
export function createLogger(least: Level): Logger {
  let opened: Pino.Logger | undefined
  const isLevelEnabled = (level: Level): boolean => LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(least)
  const saying =
    (level: 'info' | 'warn' | 'error') =>
    (details: object, message: string): void => {
      if (isLevelEnabled(level)) (opened ??= open(least))[level](details, message)
    }
  return withoutRepeats({ info: saying('info'), warn: saying('warn'), error: saying('error'), isLevelEnabled })
}

/** Writes lines together, as beside a fast answer a write of its own takes long; what waits when we end is written. */
function open(level: string): Pino.Logger {
  // As in kernel/schemas.ts.
  const { pino } = require('pino') as typeof Pino
  const lines = pino.destination({ sync: false, minLength: LOG_BYTES })
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
