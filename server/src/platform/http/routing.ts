import type { IncomingMessage, ServerResponse } from 'node:http'
import findMyWay from 'find-my-way'
import type { Endpoint } from '../../kernel/endpoint.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { Exchange, type Site } from './exchange.ts'
import { allowedMethods } from './paths.ts'

/** Answers a request: at once, or later, which is then waited for. A refusal that it throws is the answer. */
export type Answering = (exchange: Exchange) => Promise<void> | void

/** Something at an address. */
export interface Address {
  readonly method: Endpoint['method']
  /** The router's pattern. */
  readonly path: string
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
  const methodsAt = allowedMethods(endpoints)
  const nothing = (exchange: Exchange): void => {
    const allowed = methodsAt(exchange.path)
    if (allowed.length === 0) throw new Refusal('NOT_FOUND', 'There is nothing at this address')
    exchange.set({ allow: allowed.join(', ') })
    throw new Refusal('BAD_REQUEST', `${exchange.method} is not allowed here`, {}, 405)
  }
  const routes = findMyWay({
    maxParamLength: MAX_PATH_PARAMETER,
    querystringParser: (text) => ({ text }),
    // Our own patterns, `^\\d+$`: proving at every start that they are safe takes longer than all else about routes.
    allowUnsafeRegex: true,
    onBadUrl: refusing(() => new Refusal('BAD_REQUEST', 'The address is malformed')),
    onMaxParamLength: refusing(() => new Refusal('BAD_REQUEST', 'The address is too long')),
    defaultRoute: (request, response) => begin(new Exchange(site, request, response), nothing),
  })
  for (const { method, path, answer } of addresses) {
    routes.on(method === 'GET' ? ['GET', 'HEAD'] : method, path, (request, response, parameters, _store, { text }) => {
      // The router leaves no parameter out.
      begin(new Exchange(site, request, response, parameters as Record<string, string>, text), answer)
    })
  }
  return (request, response) => {
    routes.lookup(request, response)
  }
}
