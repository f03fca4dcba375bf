import type * as z from 'zod/mini'
import type { Endpoint, Output } from '../../kernel/endpoint.ts'
import { parseParameters, type RawParameter } from '../../kernel/parameters.ts'
import { turnOwner } from '../../kernel/pauses.ts'
import { notLoggedInError, ApiError } from '../../kernel/refusal.ts'
import { ComposedResponse } from '../answers/composed.ts'
import type { Route, Gateway, GatewayAnswer } from '../capability.ts'
import type { OrganizationLog } from '../log/organization-log.ts'
import { ANSWERED_MARK, type AnsweredMark } from '../request.ts'
import { readBodyInTurn } from './body.ts'
import { noOrganizationError, runRoute, type CallOptions } from './calls.ts'
import { checkAnswer, requireDeclared } from './checks.ts'
import { refuseCrossSite } from './cross-site.ts'
import type { Exchange } from './exchange.ts'
import type { Address } from './routing.ts'

const NO_STORE_HEADERS = { 'cache-control': 'no-store' }

export function gatewayAddresses(
  gateways: readonly Gateway[],
  routes: readonly Route[],
  options: CallOptions,
): Address[] {
  const byEndpoint = new Map(routes.map((route) => [route.endpoint, route]))
  return gateways.flatMap((gateway): Address[] => [
    {
      method: 'POST',
      path: gateway.path,
      answer: async (exchange) =>
        options.useLogAt(exchange.host, async (log) =>
          passToGateway(gateway, exchange, log, { byEndpoint, ...options }),
        ),
    },
    ...(['GET', 'DELETE'] as const).map((method) => ({ method, path: gateway.path, answer: refuseMethod })),
  ])
}

function refuseMethod(exchange: Exchange): void {
  exchange.set({ allow: 'POST' })
  throw new ApiError('BAD_REQUEST', `${exchange.method} is not allowed here`, {}, 405)
}

async function passToGateway(
  gateway: Gateway,
  exchange: Exchange,
  log: OrganizationLog | undefined,
  calling: GatewayContext,
): Promise<void> {
  refuseCrossSite(exchange)
  const { logins, facts, turns } = calling
  if (log === undefined) {
    logins.countAddress(exchange)
    throw noOrganizationError()
  }
  // Authenticates before reading the body, so that refused requests are never read.
  const { userId } = logins.ofProgram(exchange, log)
  const account = turnOwner(log.organization.id, userId)
  exchange.account = account
  const body = await readBodyInTurn(exchange.request, exchange.address, account)
  const work = async (): Promise<GatewayAnswer> =>
    gateway.answer({
      headers: exchange.request.headers,
      body,
      actor: logins.again(exchange, log),
      get organization() {
        return log.organization
      },
      version: facts.version,
      note: async (action) => log.act(logins.again(exchange, log), action),
      call: async (endpoint, input) => callAsAccount(exchange, log, calling, endpoint, input),
      report: facts.report,
    })
  const answer = ({ status, headers, body: text }: GatewayAnswer): void =>
    exchange.send(status, { ...NO_STORE_HEADERS, ...headers }, text)
  await turns.run('tools', account, { work, answer })
}

interface GatewayContext extends CallOptions {
  readonly byEndpoint: ReadonlyMap<Endpoint, Route>
}

/** Calls an endpoint for an account, which is checked again because its permissions may have changed. */
async function callAsAccount<E extends Endpoint>(
  exchange: Exchange,
  log: OrganizationLog,
  { byEndpoint, logins, facts, reads, replicas, checkAnswers, failedLogins }: GatewayContext,
  endpoint: E,
  given: z.input<E['input']>,
): Promise<Output<E>> {
  const route = byEndpoint.get(endpoint)
  if (route === undefined) throw new Error(`${endpoint.id} has no route`)
  const actor = logins.of(exchange, log, endpoint)
  if (actor === undefined) throw notLoggedInError()
  const { input } = parseParameters(endpoint, rawParameters(given))
  const call = { file: undefined, foreign: undefined, stream: undefined, poll: exchange, cookies: exchange }
  const { host, address } = exchange
  const { method } = endpoint
  const openCall = { ...call, host, address, log, actor, server: facts, reads, replicas, method, failedLogins }
  try {
    // Safe: functions such as `command` tie each handler to its endpoint's input.
    const answer = completeAnswer(endpoint, await runRoute(route, openCall, input as never))
    if (checkAnswers) checkAnswer(endpoint, answer)
    // Safe: handlers return the declared output.
    return answer as Output<E>
  } catch (error) {
    throw checkAnswers ? requireDeclared(endpoint, error) : error
  }
}

function rawParameters(given: object): Map<string, RawParameter> {
  const named = Object.entries(given).filter(([, value]) => value !== undefined)
  return new Map(named.map(([name, value]) => [name, typeof value === 'string' ? value : { json: value as unknown }]))
}

function completeAnswer(endpoint: Endpoint, answer: object | AnsweredMark): object {
  if (answer === ANSWERED_MARK) throw new Error(`${endpoint.id} writes its response itself, which cannot be forwarded`)
  if (!(answer instanceof ComposedResponse)) return answer
  const { fields, serialized } = answer
  if (serialized.some(({ isKept }) => isKept)) throw new Error(`${endpoint.id} caches its response as bytes`)
  const whole: Record<string, unknown> = {}
  for (const part of [...fields, ...serialized.map(({ values }) => values)]) Object.assign(whole, part)
  return whole
}
