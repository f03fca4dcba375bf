/*
 * What the types of the client say of declarations. The package has `client/pack/types.d.ts` in the place of this module: the
 * same types without schemas. `client/pack/pack.test.ts` compares the two for every declaration.
 */
import type { Endpoint, Output } from '@parley/server/kernel/endpoint'
import type { EventDeclaration } from '@parley/server/kernel/event'
import type * as z from 'zod/mini'

export type { ClientOptions, ClientState } from '@parley/server/kernel/event'
export type { Endpoint, EventDeclaration }

/** The parameters that an endpoint takes. */
export type InputOf<E extends Endpoint> = z.input<E['input']>

/** What an endpoint answers, beside `result` and `msg`. */
export type Answer<E extends Endpoint> = Output<E> & { ignored_parameters_unsupported?: string[] }

/** The fields of an event beside `id`, `type` and `op`. */
export type PayloadOf<D extends EventDeclaration> = z.output<D['payload']>
