import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import fastify, { LogController, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import {
  ANSWERED,
  readerOf,
  type Answered,
  type Call,
  type OpenCall,
  type Route,
  type ServerFacts,
} from '../capability.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Endpoint } from '../../kernel/endpoint.ts'
import { parseParameters } from '../../kernel/parameters.ts'
import { notLoggedIn, Refusal } from '../../kernel/refusal.ts'
import type { Db } from '../../kernel/transaction.ts'
import { Assembled } from '../answers/serialized.ts'
import { addressKey, RateLimitHit, rateLimitHeaders, type RateLimiter } from '../limits/rate.ts'
import type { OrganizationLog } from '../log/organization-log.ts'
import { discard } from '../files/receive.ts'
import { sendFile, type FileRoute } from '../files/serve.ts'
import { sendAssembled } from './assembled.ts'
import { LateBody, readBody, type FileLimits } from './body.ts'
import { checkAnswer, declared } from './checks.ts'
import { basicCredentials, clientName } from './credentials.ts'
import { ANSWER_HEADERS } from './headers.ts'
import { onWire, type ApiNames } from './names.ts'
import { allowedMethods, routePattern } from './paths.ts'
import { received, type Received } from './request.ts'
import { TakenOver } from './taken-over.ts'

export { API_PREFIX } from './paths.ts'

/** A path parameter can be an e-mail address, or a view of a client with 500 characters of two units each. */
const MAX_PATH_PARAMETER = 1_000
const HEADERS_MILLISECONDS = 60_000
/** A request that has not arrived after this long is cut off: the largest file over a slow line takes as long. */
const REQUEST_MILLISECONDS = 900_000
/** How long a connection that sent no HTTP stays open for the rest of it, so that its sender can read the answer. */
const LINGER_MILLISECONDS = 1_000

interface RouteConfig {
  readonly takesFile?: boolean
}

/** What the HTTP layer needs from the rest, and what the rest may not know of HTTP. */
export interface HttpOptions {
  readonly routes: readonly Route[]
  readonly facts: ServerFacts
  readonly apiNames: ApiNames
  /** Checks every answer against its declaration; in tests and development. */
  readonly checkAnswers: boolean
  readonly trustProxy: boolean
  readonly logger: Logger
  readonly reads: Db
  /** Of the organization that a host name stands for; at once when it is known already. */
  logAt(host: string): OrganizationLog | undefined | Promise<OrganizationLog | undefined>
  /** @throws Refusal INVALID_API_KEY, USER_DEACTIVATED; BAD_REQUEST where the endpoint is not for such a user */
  authenticate(
    log: OrganizationLog,
    username: string,
    apiKey: string,
    client: string,
    endpoint: Endpoint | undefined,
  ): Actor
  /** Undefined where rate limits are off. */
  readonly limits:
    { readonly user: RateLimiter; readonly address: RateLimiter; readonly failedLogins: RateLimiter } | undefined
  readonly fileLimits: FileLimits
  readonly fileRoutes: readonly FileRoute[]
  /** Pages and files beside the API. */
  pages(app: FastifyInstance): void
}

export function createHttpServer(options: HttpOptions): FastifyInstance {
  const app = fastify({
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: REQUEST_MILLISECONDS,
    http: { headersTimeout: HEADERS_MILLISECONDS },
    // The proxy in front and no other: what clients put into `X-Forwarded-For` themselves says nothing.
    trustProxy: options.trustProxy && ((_address, hop) => hop === 0),
    exposeHeadRoutes: true,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: {
      maxParamLength: MAX_PATH_PARAMETER,
      querystringParser: (text) => ({ text }),
      // Our own patterns, `^\\d+$`: proving at every start that they are safe takes longer than all else about routes.
      allowUnsafeRegex: true,
    },
    genReqId: requestIds(),
    // Not as the framework's own logger: with one, it listens to every response, and a parked poll keeps all of its request.
    childLoggerFactory: () => options.logger,
    frameworkErrors: (error, request, reply) => {
      fail(error, request, reply)
      // Hooks do not run for what is no address.
      note(request, reply)
    },
    clientErrorHandler: (error, socket) => answerMalformed(error, socket),
  })

  const send = (reply: FastifyReply, status: number, body: object): FastifyReply =>
    reply
      .code(status)
      .headers(ANSWER_HEADERS)
      .send(onWire(options.apiNames, JSON.stringify(body)))

  const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const refusal = asRefusal(error)
    if (refusal !== undefined) {
      if (refusal.status === 401) void reply.header('www-authenticate', 'Basic realm="Parley"')
      if (refusal instanceof LateBody) void reply.header('connection', 'close')
      if (refusal instanceof RateLimitHit) void reply.headers(rateLimitHeaders(refusal.verdict))
      return send(reply, refusal.status, refusal.envelope())
    }
    options.logger.error({ reqId: request.id, err: withoutRow(error), path: pathOf(request) }, 'request failed')
    return send(reply, 500, notReady(`Internal server error (request ${request.id})`))
  }

  /** Answers bytes that are no request, and hangs up. Their text is not logged: it can hold passwords. */
  const answerMalformed = (error: Error & { code?: string }, socket: Socket): void => {
    // The parser complains about every further piece too.
    if (!socket.writable) return
    options.logger.info({ code: error.code }, 'malformed request')
    const body = JSON.stringify(new Refusal('BAD_REQUEST', 'Malformed request').envelope())
    const headers = { ...ANSWER_HEADERS, 'content-length': body.length, connection: 'close' }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`)
    const hangUp = setTimeout(() => socket.destroy(), LINGER_MILLISECONDS)
    socket.on('close', () => clearTimeout(hangUp))
  }

  app.setErrorHandler(fail)
  const note = (request: FastifyRequest, reply: FastifyReply): void => {
    const { method } = request
    const ms = Math.round(reply.elapsedTime)
    options.logger.info({ reqId: request.id, method, path: pathOf(request), status: reply.statusCode, ms }, 'request')
  }
  if (options.logger.isLevelEnabled('info')) {
    app.addHook('onResponse', (request, reply, done) => {
      note(request, reply)
      done()
    })
  }

  // The framework would say it without the envelope; what is not refused could park a poll that closing waits for.
  let closing = false
  app.addHook('preClose', (done) => {
    closing = true
    done()
  })
  app.addHook('onRequest', (_request, reply, done) => {
    if (closing) void send(reply, 503, notReady('The server is stopping'))
    else done()
  })

  // Bodies are parsed where the parameters are needed: after the login.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async (request: FastifyRequest, body: IncomingMessage) =>
    // A file is not even taken to disk before its sender is known.
    (request.routeOptions.config as RouteConfig).takesFile === true ? body : readBody(body),
  )
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true })

  for (const route of options.routes) {
    app.route({
      method: route.endpoint.method,
      url: routePattern(route.endpoint),
      config: { takesFile: route.endpoint.file !== undefined } satisfies RouteConfig,
      handler: (request, reply) => handle(route, request, reply),
    })
  }
  for (const route of options.fileRoutes) {
    app.route({
      method: ['GET', 'HEAD'],
      url: route.path,
      handler: (request, reply) => serve(route, request, reply),
    })
  }
  options.pages(app)
  const methodsAt = allowedMethods(options.routes.map(({ endpoint }) => endpoint))
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsAt(pathOf(request))
    if (allowed.length === 0) throw new Refusal('NOT_FOUND', 'There is nothing at this address')
    void reply.header('allow', allowed.join(', '))
    throw new Refusal('BAD_REQUEST', `${request.method} is not allowed here`, {}, 405)
  })

  const serve = async (route: FileRoute, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const log = await options.logAt(request.host)
    if (log === undefined) throw noOrganization()
    const isKnown = basicCredentials(request.headers.authorization) !== 'absent'
    const isAsked = route.login === 'required' || (route.login === 'optional' && isKnown)
    const found = await route.find({
      actor: isAsked ? authenticate(log, request, reply) : undefined,
      log,
      reads: options.reads,
      // The router's parameters are texts by name.
      parameters: request.params as Readonly<Record<string, string>>,
      query: urlencodedQuery(request),
    })
    if (found === undefined) throw new Refusal('NOT_FOUND', 'There is nothing at this address')
    return sendFile(options.facts.files, request, reply, found)
  }

  const handle = (route: Route, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const log = options.logAt(request.host)
    return log instanceof Promise
      ? log.then((opened) => handleIn(opened, route, request, reply))
      : handleIn(log, route, request, reply)
  }

  /** Without a wait where nothing is waited for: what thousands of polls do again and again. */
  const handleIn = (
    log: OrganizationLog | undefined,
    route: Route,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    if (log === undefined && route.endpoint.id !== 'getServerSettings') {
      limit(reply, options.limits?.address, addressKey(request.ip))
      throw noOrganization()
    }
    const actor = login(route, log, request, reply)
    const parameters = received(request, route.endpoint, options.fileLimits)
    if (parameters instanceof Promise) return answerLater(route, parameters, log, actor, request, reply)
    return answer(route, parameters, log, actor, request, reply)
  }

  const answerLater = async (
    route: Route,
    parameters: Promise<Received>,
    log: OrganizationLog | undefined,
    actor: Actor | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const arrived = await parameters
    try {
      return await answer(route, arrived, log, actor, request, reply)
    } finally {
      if (arrived.file !== undefined) await discard(arrived.file)
    }
  }

  const answer = async (
    route: Route,
    { raw, spelling, file }: Received,
    log: OrganizationLog | undefined,
    actor: Actor | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const { endpoint } = route
    const { input, ignored: unknown } = parseParameters(endpoint, raw)
    const ignored = unknown.map((name) => spelling.get(name) ?? name)
    const call: OpenCall = {
      file,
      log,
      actor,
      server: options.facts,
      reads: options.reads,
      method: request.method,
      takeOver: () => new TakenOver(reply, options.apiNames, ignored),
      failedLogins: options.limits?.failedLogins,
    }
    let result: object | Answered
    try {
      // Each route was made by `command` and its like, which tie the handler to its endpoint's input.
      result = await run(route, call, input as never)
    } catch (error) {
      throw options.checkAnswers ? declared(endpoint, error) : error
    }
    if (result === ANSWERED) return reply
    if (options.checkAnswers) checkAnswer(endpoint, result)
    const envelope = {
      result: 'success',
      msg: '',
      ...(ignored.length > 0 ? { ignored_parameters_unsupported: ignored } : {}),
    }
    if (result instanceof Assembled) {
      return sendAssembled(request, reply.headers(ANSWER_HEADERS), envelope, result, (json) =>
        onWire(options.apiNames, json),
      )
    }
    return send(reply, 200, Object.assign(envelope, result))
  }

  const run = (route: Route, call: OpenCall, input: never): Promise<object | Answered> | object => {
    if (route.kind === 'open') return route.handle(call, input)
    const { log, actor } = call
    if (log === undefined || actor === undefined) throw new Error(`${route.endpoint.id} needs a login`)
    // Its log and actor are there.
    if (route.kind === 'direct') return route.handle(call as Call, input)
    if (route.kind === 'command') return log.act(actor, (tx) => route.handle(tx, input, options.facts))
    return route.handle(readerOf({ log, actor, reads: options.reads }), input)
  }

  /** Who is asking, by the rate limits' leave. */
  const login = (
    route: Route,
    log: OrganizationLog | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Actor | undefined => {
    const { authentication = 'required' } = route.endpoint
    const isAsked =
      authentication === 'required' ||
      (authentication === 'optional' && basicCredentials(request.headers.authorization) !== 'absent')
    if (!isAsked || log === undefined) {
      limit(reply, options.limits?.address, addressKey(request.ip))
      return undefined
    }
    const actor = authenticate(log, request, reply, route.endpoint)
    limit(reply, options.limits?.user, `${log.world.organizationId}:${actor.userId}`)
    return actor
  }

  const authenticate = (
    log: OrganizationLog,
    request: FastifyRequest,
    reply: FastifyReply,
    endpoint?: Endpoint,
  ): Actor => {
    const credentials = basicCredentials(request.headers.authorization)
    if (typeof credentials === 'string') {
      limit(reply, options.limits?.address, addressKey(request.ip))
      throw notLoggedIn()
    }
    try {
      const client = clientName(request.headers['user-agent'])
      return options.authenticate(log, credentials.username, credentials.password, client, endpoint)
    } catch (error) {
      // Wrong credentials count as no login; right ones from the same address go on working.
      if (error instanceof Refusal) limit(reply, options.limits?.address, addressKey(request.ip))
      throw error
    }
  }

  return app
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? ''
}

function urlencodedQuery(request: FastifyRequest): URLSearchParams {
  // The query parser hands the text through.
  return new URLSearchParams((request.query as { text: string }).text)
}

function limit(reply: FastifyReply, limiter: RateLimiter | undefined, key: string): void {
  const verdict = limiter?.use(key)
  if (verdict === undefined) return
  void reply.headers(rateLimitHeaders(verdict))
  if (!verdict.allowed) throw new RateLimitHit(verdict, 'API usage exceeded rate limit')
}

/** Fastify's own complaints about a request are the client's errors too. */
function asRefusal(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (!(error instanceof Error) || !('statusCode' in error) || !('code' in error)) return undefined
  const status = error.statusCode
  const isFrameworks = typeof error.code === 'string' && error.code.startsWith('FST_')
  if (!isFrameworks || typeof status !== 'number' || status < 400 || status >= 500) return undefined
  // Not its message, which repeats the address with its query.
  return new Refusal('BAD_REQUEST', FRAMEWORK_MESSAGES[String(error.code)] ?? 'Malformed request')
}

const FRAMEWORK_MESSAGES: Readonly<Record<string, string>> = {
  FST_ERR_BAD_URL: 'The address is malformed',
  FST_ERR_MAX_PARAM_LENGTH: 'The address is too long',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'Send parameters as a form',
}

/** PostgreSQL repeats the row that it refused in its details: that can be a key, and nothing for the log. */
function withoutRow(error: unknown): unknown {
  return error instanceof Error && 'detail' in error ? Object.assign(error, { detail: undefined }) : error
}

function noOrganization(): Refusal {
  return new Refusal('NONEXISTENT_SUBDOMAIN', 'Subdomain does not exist')
}

/** What is nobody's fault but the server's. */
function notReady(msg: string): object {
  return { result: 'error', msg, code: 'SERVER_NOT_READY' }
}

/** Ids that tell requests apart across restarts: the process's start, then a count. */
function requestIds(): () => string {
  const prefix = Date.now().toString(36)
  let count = 0
  return () => {
    count += 1
    return `${prefix}-${count}`
  }
}
