import type * as z from 'zod/mini'
import type { Endpoint, Input, Output } from '../kernel/endpoint.ts'
import type { AnyEventBinding, EventBinding } from '../kernel/event-binding.ts'
import type { AnyProjection, OrganizationState } from '../kernel/projection.ts'
import type { Limit } from '../kernel/limits.ts'
import { undoIfRefused } from '../kernel/refusal.ts'
import type { Migration, Tables } from '../kernel/tables.ts'
import type { ActorTx, Reader } from '../kernel/transaction.ts'
import type { ComposedResponse } from './answers/composed.ts'
import type { Consumer } from './consumers/consumer.ts'
import type { FileRoute } from './files/serve.ts'
import type { Job } from './jobs/jobs.ts'
import type { PageRoute } from './pages/page-route.ts'
import type { ExportedTable } from './moving/carried.ts'
import type { AnsweredMark, Call, OpenCall, PreparationCall } from './request.ts'
import type { ServerFacts, SnapshotPart } from './server-facts.ts'
import type { Actor } from '../kernel/actor.ts'

export type Route =
  | {
      kind: 'command'
      endpoint: Endpoint
      handle: (call: PreparationCall, input: never) => Promise<object>
      /** Whether the command also does work outside its transaction. */
      isPrepared: boolean
    }
  | {
      kind: 'query'
      endpoint: Endpoint
      handle: (reader: Reader, input: never, server: ServerFacts) => Promise<object> | object
      /** Whether a replica can answer: the handler reads only data that changes with logged events. */
      atReplicas: boolean
    }
  | {
      kind: 'direct'
      endpoint: Endpoint
      handle: (call: Call, input: never) => Promise<object | AnsweredMark> | AnsweredMark
    }
  | { kind: 'open'; endpoint: Endpoint; handle: (call: OpenCall, input: never) => Promise<object | AnsweredMark> }

interface PrepareStep<E extends Endpoint, Prepared> {
  readonly prepare: (call: PreparationCall, input: Input<E>) => Promise<Prepared> | Prepared
  /** Runs if the transaction is refused, to remove files that `prepare` stored. */
  readonly undo?: (call: PreparationCall, prepared: Prepared) => Promise<void>
}

interface FinishStep<E extends Endpoint, Prepared, Done> {
  /** Returns the response after the commit. Do only cleanup here, because a crash would skip it. */
  readonly finish: (call: PreparationCall, done: Done, prepared: Prepared) => Promise<Output<E>> | Output<E>
}

/** Declares an endpoint whose change has its own transaction, which repeats the permission checks of `prepare`. */
export function command<E extends Endpoint>(
  endpoint: E,
  handle: (tx: ActorTx, input: Input<E>, server: ServerFacts) => Promise<Output<E>>,
): Route
export function command<E extends Endpoint, Prepared>(
  endpoint: E,
  handle: (tx: ActorTx, input: Input<E>, prepared: Prepared, server: ServerFacts) => Promise<Output<E>>,
  steps: PrepareStep<E, Prepared>,
): Route
export function command<E extends Endpoint, Prepared, Done extends object>(
  endpoint: E,
  handle: (tx: ActorTx, input: Input<E>, prepared: Prepared, server: ServerFacts) => Promise<Done>,
  steps: PrepareStep<E, Prepared> & FinishStep<E, Prepared, Done>,
): Route
export function command<E extends Endpoint, Done extends object>(
  endpoint: E,
  handle: (tx: ActorTx, input: Input<E>, server: ServerFacts) => Promise<Done>,
  steps: FinishStep<E, ServerFacts, Done>,
): Route
export function command<E extends Endpoint, Prepared, Done extends object>(
  endpoint: E,
  handle: (tx: ActorTx, input: Input<E>, given: Prepared | ServerFacts, server: ServerFacts) => Promise<Done>,
  steps?: Partial<PrepareStep<E, Prepared | ServerFacts> & FinishStep<E, Prepared | ServerFacts, Done>>,
): Route {
  const { prepare, undo, finish } = steps ?? {}
  const act = async (call: PreparationCall, input: Input<E>): Promise<object> => {
    const given = prepare === undefined ? call.server : await prepare(call, input)
    const acting = call.log.act(call.actor, (tx) => handle(tx, input, given, call.server))
    const done = await (undo === undefined ? acting : undoIfRefused(acting, async () => undo(call, given)))
    return finish === undefined ? done : finish(call, done, given)
  }
  return { kind: 'command', endpoint, handle: act, isPrepared: steps !== undefined }
}

export function query<E extends Endpoint>(
  endpoint: E,
  handle: (reader: Reader, input: Input<E>, server: ServerFacts) => Promise<Output<E> | ComposedResponse> | Output<E>,
): Route {
  return { kind: 'query', endpoint, handle, atReplicas: false }
}

/** Declares an expensive read, which can run twice. It must read only data that changes with logged events. */
export function replicaQuery<E extends Endpoint>(
  endpoint: E,
  handle: (reader: Reader, input: Input<E>, server: ServerFacts) => Promise<Output<E> | ComposedResponse>,
): Route {
  return { kind: 'query', endpoint, handle, atReplicas: true }
}

/** Declares an endpoint whose handler manages its own transactions, for example to wait or to write in several steps. */
export function direct<E extends Endpoint>(
  endpoint: E,
  handle: (call: Call, input: Input<E>) => Promise<Output<E> | AnsweredMark> | AnsweredMark,
): Route {
  return { kind: 'direct', endpoint, handle }
}

export function open<E extends Endpoint>(
  endpoint: E,
  handle: (call: OpenCall, input: Input<E>) => Promise<Output<E> | ComposedResponse>,
): Route {
  return { kind: 'open', endpoint, handle }
}

export interface Capability {
  readonly name: string
  /** Tables that only this capability writes. */
  readonly tables: readonly (keyof Tables)[]
  /** Oldest first. No migration can be undone, and each is safe while servers of the previous version still run. */
  readonly migrations: readonly Migration[]
  readonly exportedTables: readonly ExportedTable[]
  /** Tables that exports omit. The value is a note if the operator must do something, otherwise null. */
  readonly omitted: Readonly<Record<string, string | null>>
  readonly limits: readonly Limit[]
  readonly projections: readonly AnyProjection[]
  readonly events: readonly AnyEventBinding[]
  readonly snapshot: readonly SnapshotPart[]
  readonly routes: readonly Route[]
  readonly jobs: readonly Job[]
  readonly consumers: readonly Consumer[]
  readonly files: readonly FileRoute[]
  readonly pages: readonly PageRoute[]
  readonly gateways: readonly Gateway[]
}

export function capability<const Shapes extends readonly z.ZodMiniObject[]>(declaration: {
  name: string
  tables: readonly (keyof Tables)[]
  /** Tables of other capabilities that this capability's SQL reads. */
  reads?: readonly (keyof Tables)[]
  migrations?: readonly Migration[]
  exportedTables?: readonly ExportedTable[]
  omitted?: Readonly<Record<string, string | null>>
  limits?: readonly Limit[]
  projections?: readonly AnyProjection[]
  events?: { readonly [Index in keyof Shapes]: EventBinding<Shapes[Index]> }
  snapshot?: readonly SnapshotPart[]
  routes?: readonly Route[]
  jobs?: readonly Job[]
  consumers?: readonly Consumer[]
  files?: readonly FileRoute[]
  pages?: readonly PageRoute[]
  gateways?: readonly Gateway[]
}): Capability {
  return {
    name: declaration.name,
    tables: declaration.tables,
    migrations: declaration.migrations ?? [],
    exportedTables: declaration.exportedTables ?? [],
    omitted: declaration.omitted ?? {},
    limits: declaration.limits ?? [],
    projections: declaration.projections ?? [],
    events: declaration.events ?? [],
    snapshot: declaration.snapshot ?? [],
    routes: declaration.routes ?? [],
    jobs: declaration.jobs ?? [],
    consumers: declaration.consumers ?? [],
    files: declaration.files ?? [],
    pages: declaration.pages ?? [],
    gateways: declaration.gateways ?? [],
  }
}

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
