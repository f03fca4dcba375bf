import type { Logger } from './logger.ts'

/** The same error is said once in this time, and at its end how often it came again. */
const WINDOW_MILLISECONDS = 10_000
/** Different errors that are remembered; beyond that each is said. */
const MOST_ERRORS = 200
/** Requests are named, since their clients were told the ids, as long as there are not too many. */
const MOST_NAMED = 20

interface Repeated {
  readonly details: object
  readonly message: string
  count: number
  readonly reqIds: string[]
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
  const end = (key: string): void => {
    const repeated = said.get(key)
    said.delete(key)
    if (repeated === undefined || repeated.count === 0) return
    const { details, message, count, reqIds } = repeated
    logger.error({ ...details, reqId: undefined, ...(reqIds.length > 0 ? { reqIds } : {}), again: count }, message)
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
      said.set(key, { details, message, count: 0, reqIds: [] })
      setTimeout(end, windowMilliseconds, key).unref()
    },
  }
}

function keyOf({ reason, err }: Details, message: string): string {
  return `${message}\n${typeof reason === 'string' ? reason : ''}\n${err instanceof Error ? err.message : ''}`
}
