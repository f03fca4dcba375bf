import findMyWay from 'find-my-way'
import * as z from 'zod/mini'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Endpoint } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/refusal.ts'
import { Exchange, type Site } from './exchange.ts'

export const API_PREFIX = '/api/v1'

/** Handles a request. A thrown `ApiError` becomes the response. */
export type RequestHandler = (exchange: Exchange) => Promise<void> | void

export interface Address {
  readonly method: Endpoint['method']
  /** The first segment, after the API prefix if present, must not be a parameter. */
  readonly path: string
  readonly pattern?: () => string
  readonly answer: RequestHandler
}

/** Fits an email address, or a client view of 500 characters with two code units each. */
const MAX_PATH_PARAMETER_CHARACTERS = 1_000

export function createRouter(
  site: Site,
  addresses: readonly Address[],
  endpoints: readonly Endpoint[],
  begin: (exchange: Exchange, answer: RequestHandler) => void,
): (request: IncomingMessage, response: ServerResponse) => void {
  const refusing = (refusal: () => ApiError) => (_path: string, request: IncomingMessage, response: ServerResponse) => {
    begin(new Exchange(site, request, response), () => {
      throw refusal()
    })
  }
  let methodsAt: ReturnType<typeof allowedMethods> | undefined
  const nothing = (exchange: Exchange): void => {
    methodsAt ??= allowedMethods(endpoints)
    const allowed = methodsAt(exchange.path)
    if (allowed.length === 0) throw new ApiError('NOT_FOUND', 'No such endpoint or file')
    exchange.set({ allow: allowed.join(', ') })
    throw new ApiError('BAD_REQUEST', `${exchange.method} is not allowed here`, {}, 405)
  }
  const routesTo = (some: readonly Address[]): Routes => {
    const routes = findMyWay({
      maxParamLength: MAX_PATH_PARAMETER_CHARACTERS,
      querystringParser: (text) => ({ text }),
      // Safe: these patterns are ours, and the router's check would take longer than all other setup.
      allowUnsafeRegex: true,
      onBadUrl: refusing(() => new ApiError('BAD_REQUEST', 'The URL is malformed')),
      onMaxParamLength: refusing(() => new ApiError('BAD_REQUEST', 'The URL is too long')),
      defaultRoute: (request, response) => begin(new Exchange(site, request, response), nothing),
    })
    for (const { method, path, pattern, answer } of some) {
      const methods = method === 'GET' ? ['GET' as const, 'HEAD' as const] : method
      routes.on(methods, pattern?.() ?? path, (request, response, parameters, _store, { text }) => {
        // Safe: the router sets every parameter.
        begin(new Exchange(site, request, response, parameters as Record<string, string>, text), answer)
      })
    }
    return routes
  }
  const alike = new Map<string, Address[]>()
  for (const address of addresses) {
    const beginning = firstSegment(address.path)
    const others = alike.get(beginning)
    if (others === undefined) alike.set(beginning, [address])
    else others.push(address)
  }
  // Builds routers on demand, because building all of them would take a tenth of the startup time.
  const made = new Map<readonly Address[], Routes>()
  const routesAt = (path: string): Routes => {
    // A path with an unknown prefix can still match if its letters are percent-encoded.
    const some = alike.get(firstSegment(path)) ?? addresses
    let routes = made.get(some)
    if (routes === undefined) {
      routes = routesTo(some)
      made.set(some, routes)
    }
    return routes
  }
  // Builds the routes that clients request first, while the first database connection opens.
  if (alike.has(FIRST_REQUESTED_PATH)) routesAt(FIRST_REQUESTED_PATH)
  return (request, response) => {
    routesAt(request.url ?? '').lookup(request, response)
  }
}

const FIRST_REQUESTED_PATH = `${API_PREFIX}/server_settings`

type Routes = Pick<ReturnType<typeof findMyWay>, 'lookup'>

const FIRST_SEGMENT = new RegExp(`^(?:${API_PREFIX})?/[^/?#]*`)

function firstSegment(path: string): string {
  return FIRST_SEGMENT.exec(path)?.[0] ?? ''
}

const PARAMETER_PATTERN = /:(\w+)(\*?)/g

/** Returns the router's pattern. Integers match only digits, to separate `/users/:user_id` from `/users/:email`. */
export function routePattern(endpoint: Endpoint): string {
  return withParameters(endpoint, (name, kind) => {
    if (kind === 'rest') return '*'
    return kind === 'integer' ? `:${name}(^\\d+$)` : `:${name}`
  })
}

export function restParameter(endpoint: Endpoint): string | undefined {
  return [...endpoint.path.matchAll(PARAMETER_PATTERN)].find(([, , rest]) => rest === '*')?.[1]
}

function allowedMethods(endpoints: readonly Endpoint[]): (path: string) => string[] {
  const patterns = endpoints.map((endpoint) => ({
    method: endpoint.method,
    pattern: new RegExp(`^${withParameters(endpoint, (_, kind) => KIND_PATTERNS[kind])}$`),
  }))
  return (path) => {
    const found = new Set<string>(patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))
    if (found.has('GET')) found.add('HEAD')
    return [...found].toSorted()
  }
}

type ParameterKind = 'text' | 'integer' | 'rest'

const KIND_PATTERNS: Readonly<Record<ParameterKind, string>> = { text: '[^/]+', integer: '\\d+', rest: '.+' }

function withParameters(endpoint: Endpoint, pattern: (name: string, kind: ParameterKind) => string): string {
  return (
    API_PREFIX +
    endpoint.path.replace(PARAMETER_PATTERN, (_, name: string, rest: string) => {
      if (rest === '*') return pattern(name, 'rest')
      return pattern(name, endpoint.input.shape[name] instanceof z.ZodMiniNumber ? 'integer' : 'text')
    })
  )
}
