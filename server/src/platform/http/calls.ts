import { SPECTATOR, type Actor, type Spectator } from '../../kernel/actor.ts'
import type { Endpoint } from '../../kernel/endpoint.ts'
import { parseParameters } from '../../kernel/parameters.ts'
import { waitForTurn, turnOwner } from '../../kernel/pauses.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { ReadDb } from '../../kernel/transaction.ts'
import { ComposedResponse } from '../answers/composed.ts'
import {
  ANSWERED_MARK,
  readFromReplicas,
  readerOf,
  type AnsweredMark,
  type ForeignRequest,
  type OpenCall,
} from '../request.ts'
import type { Route } from '../capability.ts'
import type { Replicas } from '../db/replicas.ts'
import type { ServerFacts } from '../server-facts.ts'
import { discardFile } from '../files/receive.ts'
import type { AttemptLimiter } from '../limits/attempts.ts'
import type { OrganizationLog } from '../log/organization-log.ts'
import type { StreamOutput } from '../queues/stream.ts'
import { turnKindOf, type AccountTurns, type TurnKind } from './account-turns.ts'
import { composeParts, ComposedParts, isHeavyValue, sendSliced } from './large-responses.ts'
import { hasBody, MAX_OPEN_BODY_BYTES, readBody, readBodyInTurn, type FileLimits } from './body.ts'
import { checkAnswer, requireDeclared } from './checks.ts'
import { refuseCrossSite } from './cross-site.ts'
import { asksForStream, EventStream } from './event-stream.ts'
import type { Exchange } from './exchange.ts'
import { POSITION_HEADER } from './headers.ts'
import type { Logins } from './login.ts'
import { receiveParameters, type ReceivedParameters } from './request.ts'
import type { RequestHandler } from './routing.ts'

/** Calls `work` with a host's log, at once if the log is open. Keeps the log open until the result settles. */
export type UseLogAt = <Result>(
  host: string,
  work: (log: OrganizationLog | undefined) => Result,
) => Result | Promise<Awaited<Result>>

export interface CallOptions {
  readonly facts: ServerFacts
  readonly reads: ReadDb
  readonly replicas: Replicas | undefined
  readonly checkAnswers: boolean
  readonly useLogAt: UseLogAt
  readonly logins: Logins
  readonly failedLogins: AttemptLimiter | undefined
  readonly fileLimits: FileLimits
  readonly turns: AccountTurns
}

type Answer = object | ComposedParts | AnsweredMark

/** Encoding a longer text takes a millisecond or more. */
const LONG_RESPONSE_CHARACTERS = 256 * 1024

export function createCallHandler(route: Route, options: CallOptions): RequestHandler {
  const caller = new RouteCaller(route, options)
  return (exchange) => caller.begin(exchange)
}

class RouteCaller {
  readonly #route: Route
  readonly #endpoint: Route['endpoint']
  readonly #options: CallOptions
  readonly #turnKind: TurnKind | undefined
  readonly #mayCompose: boolean

  constructor(route: Route, options: CallOptions) {
    this.#route = route
    this.#endpoint = route.endpoint
    this.#options = options
    this.#turnKind = turnKindOf(route)
    this.#mayCompose = route.kind === 'query' || route.kind === 'open'
  }

  begin(exchange: Exchange): Promise<void> | void {
    refuseCrossSite(exchange)
    return this.#options.useLogAt(exchange.host, (log) => this.#enter(log, exchange))
  }

  /** Authenticates before reading the body, so that refused requests are never read. */
  #enter(log: OrganizationLog | undefined, exchange: Exchange): Promise<void> | void {
    if (log === undefined && this.#endpoint.withoutOrganization !== true) {
      this.#options.logins.countAddress(exchange)
      throw noOrganizationError()
    }
    const actor = this.#options.logins.of(exchange, log, this.#endpoint)
    const viewer = actor ?? spectatorOf(this.#endpoint)
    if (log !== undefined && viewer !== undefined) exchange.account = turnOwner(log.organization.id, viewer.userId)
    const isReadBefore = this.#endpoint.file === undefined && hasBody(exchange.request)
    return isReadBefore ? this.#withBody(log, actor, exchange) : this.#answerIn(log, actor, exchange, undefined)
  }

  async #withBody(log: OrganizationLog | undefined, actor: Actor | undefined, exchange: Exchange): Promise<void> {
    const { request, address } = exchange
    const body =
      actor === undefined
        ? await readBody(request, address, MAX_OPEN_BODY_BYTES)
        : await readBodyInTurn(request, address, exchange.asker)
    // An unconditional `await` would let many bodies pass this check before the first of them is parsed.
    const free = this.#options.turns.whenFree(exchange.asker)
    if (free !== undefined) await free
    await this.#answerIn(log, this.#actorNow(log, actor, exchange), exchange, body)
  }

  #actorNow(log: OrganizationLog | undefined, actor: Actor | undefined, exchange: Exchange): Actor | undefined {
    if (log === undefined || actor === undefined) return undefined
    return this.#options.logins.again(exchange, log, this.#endpoint)
  }

  #answerIn(
    log: OrganizationLog | undefined,
    actor: Actor | undefined,
    exchange: Exchange,
    body: Buffer | undefined,
  ): Promise<void> | void {
    const parameters = this.#options.turns.timed(exchange.asker, () =>
      receiveParameters(exchange, this.#endpoint, body, this.#options.fileLimits),
    )
    const { headers } = exchange.request
    const foreign = this.#endpoint.isWebhook === true ? { headers, body: body ?? Buffer.alloc(0) } : undefined
    return parameters instanceof Promise
      ? this.#callLater(parameters, log, actor, exchange)
      : this.#call(parameters, log, actor, exchange, foreign)
  }

  async #callLater(
    parameters: Promise<ReceivedParameters>,
    log: OrganizationLog | undefined,
    actor: Actor | undefined,
    exchange: Exchange,
  ): Promise<void> {
    const arrived = await parameters
    try {
      // Authenticates again, because parsing a long body or receiving a file can take a while.
      await this.#call(arrived, log, this.#actorNow(log, actor, exchange), exchange)
    } finally {
      if (arrived.file !== undefined) await discardFile(arrived.file)
    }
  }

  #call(
    { raw, spelling, file }: ReceivedParameters,
    log: OrganizationLog | undefined,
    actor: Actor | undefined,
    exchange: Exchange,
    foreign?: ForeignRequest,
  ): Promise<void> | void {
    const { turns } = this.#options
    const { input, ignored } = turns.timed(exchange.asker, () => parseParameters(this.#endpoint, raw))
    if (ignored.length > 0) exchange.ignored = ignored.map((name) => spelling.get(name) ?? name)
    const openCall: OpenCall = {
      file,
      foreign,
      log,
      host: exchange.host,
      actor,
      server: this.#options.facts,
      reads: this.#options.reads,
      replicas: this.#options.replicas,
      method: exchange.method,
      address: exchange.address,
      poll: exchange,
      stream: this.#streamTo(exchange, log),
      cookies: exchange,
      failedLogins: this.#options.failedLogins,
    }
    const position = actor === undefined ? undefined : this.#positionIn(log)
    // Safe: functions such as `command` tie each handler to its endpoint's input.
    const run = (call: OpenCall): Answer | Promise<Answer> => this.#run(exchange, call, input as never)
    const answer = (result: Answer): Promise<void> | void => this.#finish(exchange, result, position?.())
    // Spectators of an organization take turns as one account, so that many of them cannot delay its members.
    if (log === undefined || exchange.account === undefined || this.#turnKind === undefined) {
      const result = run(openCall)
      return result instanceof Promise ? result.then(answer) : answer(result)
    }
    const work = (hasWaited: boolean): Answer | Promise<Answer> =>
      run(hasWaited ? { ...openCall, actor: this.#actorNow(log, actor, exchange) } : openCall)
    return turns.run(this.#turnKind, exchange.asker, { work, answer })
  }

  #run(exchange: Exchange, openCall: OpenCall, input: never): Answer | Promise<Answer> {
    try {
      const result = runRoute(this.#route, openCall, input)
      if (!(result instanceof Promise)) return result
      const answer = this.#mayCompose ? result.then((one) => this.#composed(exchange, one)) : result
      if (!this.#options.checkAnswers) return answer
      return answer.catch((error: unknown) => {
        throw this.#checked(error)
      })
    } catch (error) {
      throw this.#checked(error)
    }
  }

  /** Serializes the response in the account's turn: several responses at once would occupy this thread and memory. */
  #composed(exchange: Exchange, answer: Answer): Answer | Promise<Answer> {
    if (!(answer instanceof ComposedResponse)) return answer
    if (this.#options.checkAnswers) checkAnswer(this.#endpoint, answer)
    return composeParts(exchange, createEnvelope(exchange), answer)
  }

  /** Returns a getter of the log position: for reads, the position before the handler ran; otherwise, the latest. */
  #positionIn(log: OrganizationLog | undefined): () => number | undefined {
    const before = log?.organization.position
    return this.#endpoint.method === 'GET' ? () => before : () => log?.organization.position
  }

  #streamTo(exchange: Exchange, log: OrganizationLog | undefined): StreamOutput | undefined {
    if (log === undefined || !asksForStream(exchange.request, this.#endpoint)) return undefined
    const { logins, facts } = this.#options
    return new EventStream(exchange, facts.report, () => logins.again(exchange, log, this.#endpoint))
  }

  #checked(error: unknown): unknown {
    return this.#options.checkAnswers ? requireDeclared(this.#endpoint, error) : error
  }

  #finish(exchange: Exchange, answer: Answer, position: number | undefined): Promise<void> | void {
    if (answer === ANSWERED_MARK) return undefined
    if (position !== undefined) exchange.set({ [POSITION_HEADER]: String(position) })
    if (answer instanceof ComposedParts) return exchange.jsonParts(200, answer.parts)
    if (this.#options.checkAnswers) checkAnswer(this.#endpoint, answer)
    const whole = Object.assign(createEnvelope(exchange), answer)
    if (isHeavyValue(answer)) return sendSliced(exchange, whole)
    const text = JSON.stringify(whole)
    if (text.length < LONG_RESPONSE_CHARACTERS) return exchange.json(200, text)
    return waitForTurn(exchange.asker).then(() => exchange.json(200, text))
  }
}

export function runRoute(route: Route, openCall: OpenCall, input: never): Answer | Promise<Answer> {
  if (route.kind === 'open') return route.handle(openCall, input)
  const { log, actor, server, reads, replicas } = openCall
  const { endpoint } = route
  if (route.kind === 'query') {
    const viewer = actor ?? spectatorOf(endpoint)
    if (log === undefined || viewer === undefined) throw noLoginBug(endpoint)
    if (!route.atReplicas) return route.handle(readerOf({ log, actor: viewer, reads }), input, server)
    const sources = { log, actor: viewer, reads, replicas }
    return readFromReplicas(sources, async (reader) => route.handle(reader, input, server))
  }
  if (log === undefined || actor === undefined) throw noLoginBug(endpoint)
  return route.handle({ ...openCall, log, actor }, input)
}

function noLoginBug({ id }: Endpoint): Error {
  return new Error(`${id} needs a login`)
}

function spectatorOf({ forSpectators }: Endpoint): Spectator | undefined {
  return forSpectators === true ? SPECTATOR : undefined
}

function createEnvelope({ ignored }: Exchange): Record<string, unknown> {
  return {
    result: 'success',
    msg: '',
    ...(ignored.length > 0 ? { ignored_parameters_unsupported: ignored } : {}),
  }
}

export function noOrganizationError(): ApiError {
  return new ApiError('NONEXISTENT_SUBDOMAIN', 'Subdomain does not exist')
}
