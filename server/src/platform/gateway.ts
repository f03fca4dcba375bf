import type * as z from 'zod/mini'
import type { Actor } from '../kernel/actor.ts'
import type { Endpoint, Output } from '../kernel/endpoint.ts'
import type { OrganizationState } from '../kernel/projection.ts'
import type { ActorTx } from '../kernel/transaction.ts'

/**
 * An address beside the API at which programs speak another protocol. Whatever they ask for is done by calling endpoints, so
 * that rights, limits and checks are those of the API.
 */
export interface Gateway {
  readonly path: string
  /** Answers a POST by a program that is logged in. */
  readonly answer: (request: GatewayRequest) => Promise<GatewayAnswer>
}

export interface GatewayRequest {
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Buffer
  readonly actor: Actor
  /** The organization, as it is when it is looked at. */
  readonly organization: OrganizationState
  /** The server's version. */
  readonly version: string
  /**
   * Calls an endpoint for the account that asks, as a request of its own would be: it is counted, its parameters are parsed, and
   * it is refused alike.
   * @throws Refusal
   */
  readonly call: <E extends Endpoint>(endpoint: E, input: z.input<E['input']>) => Promise<Output<E>>
  /** Writes what the protocol itself has to note, in the name of the account. */
  readonly note: <Noted>(action: (tx: ActorTx) => Promise<Noted>) => Promise<Noted>
  /** Logs what went wrong, where the protocol answers it in its own way. */
  readonly report: (error: unknown) => void
}

export interface GatewayAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
