import type { IncomingMessage, ServerResponse } from 'node:http'
import findMyWay from 'find-my-way'
import type { Endpoint } from '../../kernel/endpoint.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { Exchange, type Site } from './exchange.ts'
import { allowedMethods, API_PREFIX } from './paths.ts'

/** Answers a request: at once, or later, which is then waited for. A refusal that it throws is the answer. */
export type Answering = (exchange: Exchange) => Promise<void> | void

/** Something at an address. */
export interface Address {
  readonly method: Endpoint['method']
  /** Its first segment, below the API's prefix where it has that, is the same for all requests. */
  readonly path: string
  /** The router's pattern, where that is not the path. */
  readonly pattern?: () => string
  readonly answer: Answering
}

/** A path parameter can be an e-mail address, or a view of a client with 500 characters of two units each. */
const MAX_PATH_PARAMETER = 1_000

/**
 * Finds what answers a request. Where there is nothing, that is refused.
 * @param begin is called for each request, with how it is to be answered
 */
export function router(
  site: Site,
  addresses: readonly Address[],
  endpoints: readonly Endpoint[],
  begin: (exchange: Exchange, answer: Answering) => void,
): (request: IncomingMessage, response: ServerResponse) => void {
  const refusing = (refusal: () => Refusal) => (_path: string, request: IncomingMessage, response: ServerResponse) => {
    begin(new Exchange(site, request, response), () => {
      throw refusal()
    })
  }
  let methodsAt: ReturnType<typeof allowedMethods> | undefined
  const nothing = (exchange: Exchange): void => {
    methodsAt ??= allowedMethods(endpoints)
    const allowed = methodsAt(exchange.path)
    if (allowed.length === 0) throw new Refusal('NOT_FOUND', 'There is nothing at this address')
    exchange.set({ allow: allowed.join(', ') })
    throw new Refusal('BAD_REQUEST', `${exchange.method} is not allowed here`, {}, 405)
  }
  const routesTo = (some: readonly Address[]): Routes => {
    const routes = findMyWay({
      maxParamLength: MAX_PATH_PARAMETER,
      querystringParser: (text) => ({ text }),
      // Our own patterns, `^\\d+$`: proving that they are safe takes longer than all else about routes.
      allowUnsafeRegex: true,
      onBadUrl: refusing(() => new Refusal('BAD_REQUEST', 'The address is malformed')),
      onMaxParamLength: refusing(() => new Refusal('BAD_REQUEST', 'The address is too long')),
      defaultRoute: (request, response) => begin(new Exchange(site, request, response), nothing),
    })
    for (const { method, path, pattern, answer } of some) {
      const methods = method === 'GET' ? ['GET' as const, 'HEAD' as const] : method
      routes.on(methods, pattern?.() ?? path, (request, response, parameters, _store, { text }) => {
        // The router leaves no parameter out.
        begin(new Exchange(site, request, response, parameters as Record<string, string>, text), answer)
      })
    }
    return routes
  }
  const alike = new Map<string, Address[]>()
  for (const address of addresses) {
    const beginning = beginningOf(address.path)
    const others = alike.get(beginning)
    if (others === undefined) alike.set(beginning, [address])
    else others.push(address)
  }
  // Made for the first request that needs them: all of them at once would take a tenth of a start.
  const made = new Map<readonly Address[], Routes>()
  const routesAt = (path: string): Routes => {
    // What begins like none of them can be one of them all the same, with its letters encoded.
    const some = alike.get(beginningOf(path)) ?? addresses
    let routes = made.get(some)
    if (routes === undefined) {
      routes = routesTo(some)
      made.set(some, routes)
    }
    return routes
  }
  // But what clients ask first: that is while the first connection to the database is made.
  if (alike.has(FIRST_ASKED)) routesAt(FIRST_ASKED)
  return (request, response) => {
    routesAt(request.url ?? '').lookup(request, response)
  }
}

const FIRST_ASKED = `${API_PREFIX}/server_settings`

type Routes = Pick<ReturnType<typeof findMyWay>, 'lookup'>

/** The first segment, or the one after the API's prefix. */
const BEGINNING = new RegExp(`^(?:${API_PREFIX})?/[^/?#]*`)

function beginningOf(path: string): string {
  return BEGINNING.exec(path)?.[0] ?? ''
}
