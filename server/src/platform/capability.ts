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

/** How a handler is reached. Made by the functions below, which tie it to its endpoint's types. */
export type Route =
  | { kind: 'command'; endpoint: Endpoint; handle: (tx: ActorTx, input: never, server: ServerFacts) => Promise<object> }
  | {
      kind: 'query'
      endpoint: Endpoint
      handle: (reader: Reader, input: never) => Promise<object> | object
      /** Whether a replica of the database may answer it, which has to write nothing and reads only what is changed with events of the log. */
      atReplicas: boolean
    }
  | { kind: 'direct'; endpoint: Endpoint; handle: (call: Call, input: never) => Promise<object | Answered> | Answered }
  | { kind: 'open'; endpoint: Endpoint; handle: (call: OpenCall, input: never) => Promise<object | Answered> }

/** Binds an endpoint to an action: one transaction, alone in the organization. */
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
 * Binds an endpoint to a read that takes the database long, as of history: replicas of it answer in its place. All that it reads
 * is changed with events of the log alone, and it may be read twice.
 */
export function replicaQuery<E extends Endpoint>(
  endpoint: E,
  handle: (reader: Reader, input: Input<E>) => Promise<Output<E> | ComposedResponse>,
): Route {
  return { kind: 'query', endpoint, handle, atReplicas: true }
}

/** Binds an endpoint to a handler that chooses its own way: batched writes, long polls. */
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

/** A capability's table of contents. */
export interface Capability {
  readonly name: string
  /** The tables that only this capability writes. */
  readonly tables: readonly (keyof Tables)[]
  /** What made its tables, oldest first: forward only, and each safe while the previous version still serves. */
  readonly migrations: readonly Migration[]
  /** Those of its tables that go along when an organization moves. */
  readonly carried: readonly CarriedTable[]
  /** How much of what it makes there may be. */
  readonly limits: readonly Limit[]
  readonly projections: readonly Projection<never, never>[]
  readonly events: readonly EventBinding[]
  readonly snapshot: readonly SnapshotPart[]
  readonly routes: readonly Route[]
  readonly jobs: readonly Job[]
  /** What has to happen after events of the log. */
  readonly consumers: readonly Consumer[]
  /** Addresses beside the API at which its files are. */
  readonly files: readonly FileRoute[]
  /** Addresses beside the API at which another protocol is spoken. */
  readonly gateways: readonly Gateway[]
}

/** Declares a capability; checks that its projections and events are well-typed where they are made. */
export function capability(declaration: {
  name: string
  tables: readonly (keyof Tables)[]
  /** Tables of others that its SQL reads, so that a change of one of them finds here what depends on it. */
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
    // Projections are stored together, each with types of its own; `OrganizationState.of` gives each its own state back.
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
