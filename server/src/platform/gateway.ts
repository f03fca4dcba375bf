import type * as z from 'zod/mini'
import type { Actor } from '../kernel/actor.ts'
import type { Endpoint, Output } from '../kernel/endpoint.ts'
import type { OrganizationState } from '../kernel/projection.ts'
import type { ActorTx } from '../kernel/transaction.ts'

/** Route for another protocol. Every action calls an endpoint, so that its permissions, limits, and checks apply. */
export interface Gateway {
  readonly path: string
  readonly answer: (request: GatewayRequest) => Promise<GatewayAnswer>
}

export interface GatewayRequest {
  /** Headers by lowercase name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Buffer
  readonly actor: Actor
  readonly organization: OrganizationState
  readonly version: string
  /** Calls an endpoint with rate limits, parsing, and errors as for a separate request. */
  readonly call: <E extends Endpoint>(endpoint: E, input: z.input<E['input']>) => Promise<Output<E>>
  readonly note: <Noted>(action: (tx: ActorTx) => Promise<Noted>) => Promise<Noted>
  /** Logs errors that the protocol reports in its own format. */
  readonly report: (error: unknown) => void
}

export interface GatewayAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
