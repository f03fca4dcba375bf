import type { Actor } from '../../kernel/actor.ts'
import { parseParameters } from '../../kernel/parameters.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Db } from '../../kernel/transaction.ts'
import { ComposedResponse } from '../answers/composed.ts'
import { ANSWERED, readerOf, type Answered, type Call, type OpenCall } from '../request.ts'
import type { Route } from '../capability.ts'
import type { ServerFacts } from '../server-facts.ts'
import { discard } from '../files/receive.ts'
import type { RateLimiter } from '../limits/rate.ts'
import type { OrganizationLog } from '../log/organization-log.ts'
import { sendComposed } from './composed.ts'
import { hasBody, MAX_BODY_BYTES, MAX_OPEN_BODY_BYTES, readBody, type FileLimits } from './body.ts'
import { checkAnswer, declared } from './checks.ts'
import { refuseCrossSite } from './cross-site.ts'
import type { Exchange } from './exchange.ts'
import type { Logins } from './login.ts'
import { onWire, type ApiNames } from './names.ts'
import { received, type Received } from './request.ts'
import type { Answering } from './routing.ts'
import { isLong, sendSliced } from './sliced.ts'

/** Of the organization that a host name stands for; at once when it is known already. */
export type LogAt = (host: string) => OrganizationLog | undefined | Promise<OrganizationLog | undefined>

export interface CallOptions {
  readonly facts: ServerFacts
  readonly reads: Db
  readonly apiNames: ApiNames
  /** Checks every answer against its declaration; in tests and development. */
  readonly checkAnswers: boolean
  readonly logAt: LogAt
  readonly logins: Logins
  readonly failedLogins: RateLimiter | undefined
  readonly fileLimits: FileLimits
}

type Answer = object | Answered

/**
 * Calls what a route is bound to. Nothing waits where nothing has to be waited for: thousands of polls come again and
 * again.
 */
export function calling(route: Route, options: CallOptions): Answering {
  const { endpoint } = route
  const { logins } = options

  const begin = (exchange: Exchange): Promise<void> | void => {
    refuseCrossSite(exchange)
    const log = options.logAt(exchange.host)
    return log instanceof Promise ? log.then((opened) => enter(opened, exchange)) : enter(log, exchange)
  }

  /** Who it is comes before what it says: what is refused is not even read. */
  const enter = (log: OrganizationLog | undefined, exchange: Exchange): Promise<void> | void => {
    if (log === undefined && endpoint.id !== 'getServerSettings') {
      logins.countAddress(exchange)
      throw noOrganization()
    }
    const actor = logins.of(exchange, log, endpoint)
    if (endpoint.file !== undefined || !hasBody(exchange.request)) return answerIn(log, actor, exchange, undefined)
    return withBody(log, actor, exchange)
  }

  const withBody = async (
    log: OrganizationLog | undefined,
    actor: Actor | undefined,
    exchange: Exchange,
  ): Promise<void> => {
    const { request, address } = exchange
    const body = await readBody(request, address, actor === undefined ? MAX_OPEN_BODY_BYTES : MAX_BODY_BYTES)
    // While the body was on its way, the account or its key may have ended.
    const still = log === undefined || actor === undefined ? undefined : logins.again(exchange, log, endpoint)
    await answerIn(log, still, exchange, body)
  }

  const answerIn = (
    log: OrganizationLog | undefined,
    actor: Actor | undefined,
    exchange: Exchange,
    body: Buffer | undefined,
  ): Promise<void> | void => {
    const parameters = received(exchange, endpoint, body, options.fileLimits)
    return parameters instanceof Promise
      ? callLater(parameters, log, actor, exchange)
      : call(parameters, log, actor, exchange)
  }

  const callLater = async (
    parameters: Promise<Received>,
    log: OrganizationLog | undefined,
    actor: Actor | undefined,
    exchange: Exchange,
  ): Promise<void> => {
    const arrived = await parameters
    try {
      await call(arrived, log, actor, exchange)
    } finally {
      if (arrived.file !== undefined) await discard(arrived.file)
    }
  }

  const call = (
    { raw, spelling, file }: Received,
    log: OrganizationLog | undefined,
    actor: Actor | undefined,
    exchange: Exchange,
  ): Promise<void> | void => {
    const { input, ignored } = parseParameters(endpoint, raw)
    if (ignored.length > 0) exchange.ignored = ignored.map((name) => spelling.get(name) ?? name)
    const openCall: OpenCall = {
      file,
      log,
      actor,
      server: options.facts,
      reads: options.reads,
      method: exchange.method,
      poll: exchange,
      failedLogins: options.failedLogins,
    }
    let result: Answer | Promise<Answer>
    try {
      // Each route was made by `command` and its like, which tie the handler to its endpoint's input.
      result = run(openCall, input as never)
    } catch (error) {
      throw checked(error)
    }
    if (!(result instanceof Promise)) return finish(exchange, result)
    return result.then(
      (answer: Answer) => finish(exchange, answer),
      (error: unknown) => {
        throw checked(error)
      },
    )
  }

  const run = (openCall: OpenCall, input: never): Answer | Promise<Answer> => {
    if (route.kind === 'open') return route.handle(openCall, input)
    const { log, actor } = openCall
    if (log === undefined || actor === undefined) throw new Error(`${endpoint.id} needs a login`)
    // Its log and actor are there.
    if (route.kind === 'direct') return route.handle(openCall as Call, input)
    if (route.kind === 'command') return log.act(actor, (tx) => route.handle(tx, input, options.facts))
    return route.handle(readerOf({ log, actor, reads: options.reads }), input)
  }

  const checked = (error: unknown): unknown => (options.checkAnswers ? declared(endpoint, error) : error)

  const finish = (exchange: Exchange, answer: Answer): Promise<void> | void => {
    if (answer === ANSWERED) return undefined
    if (options.checkAnswers) checkAnswer(endpoint, answer)
    const { ignored } = exchange
    const envelope = {
      result: 'success',
      msg: '',
      ...(ignored.length > 0 ? { ignored_parameters_unsupported: ignored } : {}),
    }
    if (answer instanceof ComposedResponse) {
      return sendComposed(exchange, envelope, answer, (json) => onWire(options.apiNames, json))
    }
    if (isLong(answer)) {
      return sendSliced(exchange, Object.assign(envelope, answer), (json) => onWire(options.apiNames, json))
    }
    return exchange.json(200, JSON.stringify(Object.assign(envelope, answer)))
  }

  return begin
}

export function noOrganization(): Refusal {
  return new Refusal('NONEXISTENT_SUBDOMAIN', 'Subdomain does not exist')
}
