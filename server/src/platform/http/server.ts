import type { IncomingMessage, ServerResponse } from 'node:http'
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { z } from 'zod'
import { ANSWERED, type Answered, type OpenCall, type RawAnswer, type Route, type ServerFacts } from '../capability.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Endpoint, Method } from '../../kernel/endpoint.ts'
import { parseParameters, type RawParameters } from '../../kernel/parameters.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Db } from '../../kernel/transaction.ts'
import type { RateLimiter, RateVerdict } from '../limits/rate.ts'
import type { OrganizationLog } from '../log/organization-log.ts'
import { jsonFields, MAX_BODY_BYTES, multipartFields, tooLarge, urlencodedFields } from './body.ts'
import { basicCredentials, clientName } from './credentials.ts'
import { neutralParameter, onWire, type ApiNames } from './names.ts'

export const API_PREFIX = '/api/v1'
/** A path parameter can be an e-mail address. */
const MAX_PATH_PARAMETER = 400
const JSON_TYPE = 'application/json; charset=utf-8'

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
  /** The organization a host name stands for. */
  organizationOf(host: string): Promise<number | undefined>
  logOf(organizationId: number): Promise<OrganizationLog>
  /** @throws Refusal INVALID_API_KEY, USER_DEACTIVATED */
  authenticate(log: OrganizationLog, username: string, apiKey: string, client: string): Promise<Actor>
  /** Undefined where rate limits are off. */
  readonly limits:
    { readonly user: RateLimiter; readonly address: RateLimiter; readonly failedLogins: RateLimiter } | undefined
  /** Pages and files beside the API. */
  pages(app: FastifyInstance): void
}

export function createHttpServer(options: HttpOptions): FastifyInstance {
  const app = fastify({
    loggerInstance: options.logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: options.trustProxy,
    exposeHeadRoutes: true,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: MAX_PATH_PARAMETER, querystringParser: (text) => ({ text }) },
    genReqId: requestIds(),
    frameworkErrors: (error, request, reply) => fail(error, request, reply),
  })

  const send = (reply: FastifyReply, status: number, body: object): FastifyReply =>
    reply
      .code(status)
      .header('content-type', JSON_TYPE)
      .send(onWire(options.apiNames, JSON.stringify(body)))

  const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const refusal = asRefusal(error)
    if (refusal !== undefined) {
      if (refusal.status === 401) void reply.header('www-authenticate', 'Basic realm="Parley"')
      return send(reply, refusal.status, refusal.envelope())
    }
    request.log.error({ err: error, path: request.url.split('?')[0] }, 'request failed')
    const body = { result: 'error', msg: `Internal server error (request ${request.id})`, code: 'SERVER_NOT_READY' }
    return send(reply, 500, body)
  }

  app.setErrorHandler(fail)
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        path: request.url.split('?')[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    )
    done()
  })

  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: FastifyRequest, body: string | Buffer) => Promise.resolve(urlencodedFields(String(body))),
  )
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: FastifyRequest, body: string | Buffer) => Promise.resolve(jsonFields(String(body))),
  )
  app.addContentTypeParser('multipart/form-data', async (request: FastifyRequest, body: IncomingMessage) =>
    multipartFields(request.headers, body),
  )
  app.addContentTypeParser('*', { parseAs: 'string' }, async (_request: FastifyRequest, body: string | Buffer) => {
    if (body.length === 0) return Promise.resolve([])
    throw new Refusal('BAD_REQUEST', 'Send parameters as a form')
  })

  for (const route of options.routes) {
    app.route({
      method: route.endpoint.method,
      url: API_PREFIX + routePattern(route.endpoint),
      handler: (request, reply) => handle(route, request, reply),
    })
  }
  options.pages(app)
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsAt(options.routes, request.url)
    if (allowed.length === 0) throw new Refusal('NOT_FOUND', 'There is nothing at this address')
    void reply.header('allow', allowed.join(', '))
    throw new Refusal('BAD_REQUEST', `${request.method} is not allowed here`, {}, 405)
  })

  const handle = async (route: Route, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { endpoint } = route
    const organizationId = await options.organizationOf(request.host)
    if (organizationId === undefined && endpoint.id !== 'getServerSettings') {
      throw new Refusal('NONEXISTENT_SUBDOMAIN', 'Subdomain does not exist')
    }
    const log = organizationId === undefined ? undefined : await options.logOf(organizationId)
    const actor = await login(route, log, request, reply)
    const { input, ignored } = parseParameters(endpoint, rawParameters(request))
    const call: OpenCall = {
      actor,
      log,
      server: options.facts,
      reads: options.reads,
      method: request.method,
      takeOver: () => takeOver(request, reply, ignored),
      failedLogins: options.limits?.failedLogins,
    }
    // Each route was made by `command` and its like, which tie the handler to its endpoint's input.
    const result = await run(route, call, input as never)
    if (result === ANSWERED) return reply
    if (options.checkAnswers) checkAnswer(endpoint, result)
    const body: Record<string, unknown> = { result: 'success', msg: '', ...result }
    if (ignored.length > 0) body['ignored_parameters_unsupported'] = ignored
    return send(reply, 200, body)
  }

  const run = async (route: Route, call: OpenCall, input: never): Promise<object | Answered> => {
    if (route.kind === 'open') return route.handle(call, input)
    const { log, actor } = call
    if (log === undefined || actor === undefined) throw new Error(`${route.endpoint.id} needs a login`)
    if (route.kind === 'direct') return route.handle({ ...call, log, actor }, input)
    if (route.kind === 'command') return log.act(actor, (tx) => route.handle(tx, input, options.facts))
    const { world } = log
    return route.handle(
      { organizationId: world.organizationId, actor, world, db: options.reads, now: Math.floor(Date.now() / 1000) },
      input,
    )
  }

  /** Who is asking, by the rate limits' leave. */
  const login = async (
    route: Route,
    log: OrganizationLog | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Actor | undefined> => {
    const credentials = basicCredentials(request.headers.authorization)
    if (route.kind === 'open' || log === undefined) {
      limited(reply, options.limits?.address.use(request.ip))
      return undefined
    }
    if (typeof credentials === 'string') {
      limited(reply, options.limits?.address.use(request.ip))
      throw new Refusal('UNAUTHENTICATED_USER', 'Not logged in: API authentication or user session required')
    }
    let actor: Actor
    try {
      const client = clientName(request.headers['user-agent'])
      actor = await options.authenticate(log, credentials.username, credentials.password, client)
    } catch (error) {
      // Wrong credentials count as no login; right ones from the same address go on working.
      if (error instanceof Refusal) limited(reply, options.limits?.address.use(request.ip))
      throw error
    }
    limited(reply, options.limits?.user.use(`${log.world.organizationId}:${actor.userId}`))
    return actor
  }

  const takeOver = (request: FastifyRequest, reply: FastifyReply, ignored: readonly string[]): RawAnswer => {
    reply.hijack()
    const raw: ServerResponse = reply.raw
    const headers = reply.getHeaders() as Record<string, string>
    const write = (status: number, text: string): void => {
      if (raw.writableEnded) return
      const body = onWire(options.apiNames, text)
      raw.writeHead(status, { ...headers, 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(body) })
      raw.end(request.method === 'HEAD' ? undefined : body)
    }
    const unsupported = ignored.length > 0 ? `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}` : ''
    return {
      success: (fields) => write(200, `{"result":"success","msg":"",${fields}${unsupported}}`),
      refuse: (refusal) => write(refusal.status, JSON.stringify(refusal.envelope())),
      onClose: (callback) => void raw.on('close', callback),
    }
  }

  return app
}

/** `/users/:user_id` matches digits only where the declared parameter is an integer, so `/users/:email` can follow. */
function routePattern(endpoint: Endpoint): string {
  return endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const schema = endpoint.input.shape[name]
    return schema instanceof z.ZodNumber ? `:${name}(^\\d+$)` : `:${name}`
  })
}

function methodsAt(routes: readonly Route[], url: string): Method[] {
  const path = url.split('?')[0] ?? ''
  const methods = routes
    .filter(({ endpoint }) => {
      const pattern = endpoint.path.replace(/:\w+/g, '[^/]+')
      return new RegExp(`^${API_PREFIX}${pattern}$`).test(path)
    })
    .map(({ endpoint }) => endpoint.method)
  return [...new Set(methods)].sort()
}

/** Path, body and query in one; what is more specific wins. */
function rawParameters(request: FastifyRequest): RawParameters {
  const raw: Record<string, string> = Object.create(null) as Record<string, string>
  // The query parser hands the text through; the body parsers return lists of fields.
  const query = (request.query as { text: string }).text
  const fields = [
    ...new URLSearchParams(query),
    ...((request.body ?? []) as [string, string][]),
    ...Object.entries(request.params as Record<string, string>),
  ]
  for (const [name, value] of fields) {
    const [neutral, word] = neutralParameter(name, value)
    raw[neutral] = word
  }
  return raw
}

function limited(reply: FastifyReply, verdict: RateVerdict | undefined): void {
  if (verdict === undefined) return
  void reply.headers({
    'x-ratelimit-limit': String(verdict.limit),
    'x-ratelimit-remaining': String(verdict.remaining),
    'x-ratelimit-reset': String(verdict.resetAt),
  })
  if (verdict.allowed) return
  void reply.header('retry-after', String(Math.ceil(verdict.retryAfter)))
  throw new Refusal('RATE_LIMIT_HIT', 'API usage exceeded rate limit', { 'retry-after': verdict.retryAfter })
}

/** Fastify's own complaints about a request are the client's errors too. */
function asRefusal(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (!(error instanceof Error) || !('statusCode' in error) || !('code' in error)) return undefined
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge()
  const status = error.statusCode
  if (typeof status !== 'number' || status < 400 || status >= 500) return undefined
  return new Refusal('BAD_REQUEST', error.message)
}

const strictOutputs = new WeakMap<Endpoint, z.ZodObject>()

function checkAnswer(endpoint: Endpoint, answer: object): void {
  let schema = strictOutputs.get(endpoint)
  if (schema === undefined) {
    schema = endpoint.output.def.catchall === undefined ? endpoint.output.strict() : endpoint.output
    strictOutputs.set(endpoint, schema)
  }
  const checked = schema.safeParse(JSON.parse(JSON.stringify(answer)))
  if (!checked.success) throw new Error(`${endpoint.id} answered what it does not declare: ${checked.error.message}`)
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
