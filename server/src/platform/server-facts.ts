import type { Actor } from '../kernel/actor.ts'
import type { OrganizationState } from '../kernel/projection.ts'
import type { Db, SnapshotDb, Tx } from '../kernel/transaction.ts'
import type { Viewer } from '../kernel/viewer.ts'
import type { ComposedResponse, JsonPieces } from './answers/composed.ts'
import type { Consumers } from './consumers/consumers.ts'
import type { FileStore } from './files/store.ts'
import type { Checkup } from './health/checkup.ts'
import type { Health } from './health/health.ts'
import type { ApiNames } from './http/names.ts'
import type { Mailer } from './mail/mailer.ts'
import type { OwnRows } from './moving/carried.ts'
import type { OpenidProvider } from './openid/openid.ts'
import type { OutsideClient } from './outside/outside.ts'
import type { QueueLimits } from './queues/queue.ts'
import type { Queues } from './queues/queues.ts'
import type { Tokens } from './tokens/tokens.ts'

/** Part of the snapshot, included if all its `eventTypes` are requested. */
export interface SnapshotPart {
  readonly eventTypes: readonly string[]
  /** Runs before the snapshot, to read data that is not in the projections. */
  readonly prepare?: (db: Db, viewer: Viewer) => Promise<void>
  /** Reads projections at the snapshot's position. */
  readonly observe?: (viewer: Viewer, context: SnapshotContext) => Record<string, unknown>
  /** Returns large fields that many viewers share. */
  readonly share?: (viewer: Viewer, server: ServerFacts) => SharedFields
  /** Reads the database at the same position as the snapshot. */
  readonly read?: (
    db: SnapshotDb,
    viewer: Viewer,
    context: SnapshotContext,
  ) => Promise<Record<string, unknown> | ComposedResponse>
  readonly spectatorFields?: (spectator: SpectatorViewer, server: ServerFacts) => Record<string, unknown>
}

export interface SharedFields {
  /** Cache key that covers all inputs except projections. Undefined if the result is for one viewer only. */
  readonly key: string | undefined
  /** Must read only projections. The result is cached until one of them changes. */
  readonly make: (organization: OrganizationState) => Record<string, unknown> | JsonPieces
}

export type SpectatorViewer = Omit<Viewer, 'userId'>

export interface SnapshotContext {
  readonly server: ServerFacts
  readonly actor: Actor
  readonly now: number
  readonly eventTypes: readonly string[] | null
  readonly presenceHistoryDays: number
}

export interface ServerFacts {
  readonly version: string
  readonly startedAt: number
  readonly development: boolean
  readonly apiNames: ApiNames
  readonly webPublicChannels: boolean
  readonly urlOf: (organization: OrganizationState) => string
  /** Returns a subdomain's URL, without a trailing slash, even if no organization uses the subdomain. */
  readonly urlAt: (stringId: string) => string
  /** Returns a host's subdomain: empty for the bare domain, undefined for hosts outside it. */
  readonly subdomainAt: (host: string) => string | undefined
  createOrganization<Result>(this: void, stringId: string, action: (tx: Tx) => Promise<Result>): Promise<Result>
  readonly health: Health
  readonly checkup: Checkup
  readonly queues: Queues
  readonly consumers: Consumers
  readonly queueLimits: QueueLimits
  readonly files: FileStore
  readonly uploadLimits: { readonly maxMebibytes: number; readonly quotaMebibytes: number | null }
  readonly tokens: Tokens
  readonly mailer: Mailer
  readonly openid: OpenidProvider | undefined
  readonly jitsiUrl: string | undefined
  /** Undefined if the server receives no email. */
  readonly incomingMailDomain: string | undefined
  readonly outside: OutsideClient
  /** Logs errors that do not affect the response. */
  readonly report: (error: unknown) => void
  readonly snapshotParts: readonly SnapshotPart[]
  /** Data exports contain these rows of each person. */
  readonly ownRows: readonly OwnRows[]
}
