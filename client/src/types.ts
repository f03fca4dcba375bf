/* In the package, `client/pack/types.d.ts` replaces these types with equal types that need no schemas. */
import type { Endpoint, Output } from '@parley/server/kernel/endpoint'
import type { EventDeclaration } from '@parley/server/kernel/event'
import type * as z from 'zod/mini'

export type { ClientOptions, ClientState } from '@parley/server/kernel/event'
export type { Endpoint, EventDeclaration }

export type InputOf<E extends Endpoint> = z.input<E['input']>

/** The response of an endpoint, without `result` and `msg`. */
export type Answer<E extends Endpoint> = Output<E> & { ignored_parameters_unsupported?: string[] }

/** The fields of an event, without `id`, `type`, and `op`. */
export type PayloadOf<D extends EventDeclaration> = z.output<D['payload']>
