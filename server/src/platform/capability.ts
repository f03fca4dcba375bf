import type { Endpoint, Input, Output } from '../kernel/endpoint.ts'
import type { EventBinding } from '../kernel/event-binding.ts'
import type { Projection } from '../kernel/projection.ts'
import type { Limit } from '../kernel/limits.ts'
import type { Migration, Tables } from '../kernel/tables.ts'
import type { ActorTx, Reader } from '../kernel/transaction.ts'
import type { ComposedResponse } from './answers/composed.ts'
import type { Consumer } from './consumers/consumer.ts'
import type { FileRoute } from './files/serve.ts'
import type { Gateway } from './gateway.ts'
import type { Job } from './jobs/jobs.ts'
import type { CarriedTable } from './moving/carried.ts'
import type { Answered, Call, OpenCall } from './request.ts'
import type { ServerFacts, SnapshotPart } from './server-facts.ts'

/** Binding of an endpoint to its handler. Created by the functions below, which check the handler's types. */
export type Route =
  | { kind: 'command'; endpoint: Endpoint; handle: (tx: ActorTx, input: never, server: ServerFacts) => Promise<object> }
  | {
      kind: 'query'
      endpoint: Endpoint
      handle: (reader: Reader, input: never) => Promise<object> | object
      /**
       * Whether a replica of the database can answer. The handler must not write, and must read only data that changes
       * with events of the log.
       */
      atReplicas: boolean
    }
  | { kind: 'direct'; endpoint: Endpoint; handle: (call: Call, input: never) => Promise<object | Answered> | Answered }
  | { kind: 'open'; endpoint: Endpoint; handle: (call: OpenCall, input: never) => Promise<object | Answered> }

/** Binds an endpoint to an action that runs in its own transaction, alone in the organization. */
export function command<E extends Endpoint>(
  endpoint: E,
  handle: (tx: ActorTx, input: Input<E>, server: ServerFacts) => Promise<Output<E>>,
): Route {
  return { kind: 'command', endpoint, handle }
}

/** Binds an endpoint to a read. */
export function query<E extends Endpoint>(
  endpoint: E,
  handle: (reader: Reader, input: Input<E>) => Promise<Output<E> | ComposedResponse> | Output<E>,
): Route {
  return { kind: 'query', endpoint, handle, atReplicas: false }
}

/**
 * Binds an endpoint to an expensive read, such as history, for replicas of the database. The handler must read only
 * data that changes with events of the log, and can be called twice.
 */
export function replicaQuery<E extends Endpoint>(
  endpoint: E,
  handle: (reader: Reader, input: Input<E>) => Promise<Output<E> | ComposedResponse>,
): Route {
  return { kind: 'query', endpoint, handle, atReplicas: true }
}

/** Binds an endpoint to a handler that controls its own execution: batched writes, long polls. */
export function direct<E extends Endpoint>(
  endpoint: E,
  handle: (call: Call, input: Input<E>) => Promise<Output<E> | Answered> | Answered,
): Route {
  return { kind: 'direct', endpoint, handle }
}

/** Binds an endpoint that needs no login. */
export function open<E extends Endpoint>(
  endpoint: E,
  handle: (call: OpenCall, input: Input<E>) => Promise<Output<E> | ComposedResponse>,
): Route {
  return { kind: 'open', endpoint, handle }
}

/** Contents of a capability. */
export interface Capability {
  readonly name: string
  /** Tables that only this capability writes. */
  readonly tables: readonly (keyof Tables)[]
  /** Migrations of its tables, oldest first. Forward only, and each is safe while the previous version still serves. */
  readonly migrations: readonly Migration[]
  /** Its tables that are exported when an organization moves. */
  readonly carried: readonly CarriedTable[]
  /** Limits on the number of objects. */
  readonly limits: readonly Limit[]
  readonly projections: readonly Projection<never, never>[]
  readonly events: readonly EventBinding[]
  readonly snapshot: readonly SnapshotPart[]
  readonly routes: readonly Route[]
  readonly jobs: readonly Job[]
  /** Work that must follow events of the log. */
  readonly consumers: readonly Consumer[]
  /** Routes of its files outside the API. */
  readonly files: readonly FileRoute[]
  /** Routes of other protocols outside the API. */
  readonly gateways: readonly Gateway[]
}

/** Declares a capability. Its projections and events are type-checked where they are created. */
export function capability(declaration: {
  name: string
  tables: readonly (keyof Tables)[]
  /** Tables of other capabilities that its SQL reads, so that their changes lead to this code. */
  reads?: readonly (keyof Tables)[]
  migrations?: readonly Migration[]
  carried?: readonly CarriedTable[]
  limits?: readonly Limit[]
  projections?: readonly { readonly name: string }[]
  events?: readonly EventBinding[]
  snapshot?: readonly SnapshotPart[]
  routes?: readonly Route[]
  jobs?: readonly Job[]
  consumers?: readonly Consumer[]
  files?: readonly FileRoute[]
  gateways?: readonly Gateway[]
}): Capability {
  return {
    name: declaration.name,
    tables: declaration.tables,
    migrations: declaration.migrations ?? [],
    carried: declaration.carried ?? [],
    limits: declaration.limits ?? [],
    // Safe: stored together although each has its own types, since `OrganizationState.of` returns each its own state.
    projections: (declaration.projections ?? []) as readonly Projection<never, never>[],
    events: declaration.events ?? [],
    snapshot: declaration.snapshot ?? [],
    routes: declaration.routes ?? [],
    jobs: declaration.jobs ?? [],
    consumers: declaration.consumers ?? [],
    files: declaration.files ?? [],
    gateways: declaration.gateways ?? [],
  }
}
