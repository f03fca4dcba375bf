/* Server functions available to handlers, and the parts of the register response. */
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
import type { OpenidProvider } from './openid/openid.ts'
import type { Outside } from './outside/outside.ts'
import type { QueueLimits } from './queues/queue.ts'
import type { Queues } from './queues/queues.ts'
import type { Tokens } from './tokens/tokens.ts'

/** Part of the register response; included if all `eventTypes` are requested. */
export interface SnapshotPart {
  readonly eventTypes: readonly string[]
  /** Reads, before the snapshot, data needed besides the projections. */
  readonly prepare?: (db: Db, viewer: Viewer) => Promise<void>
  /** Reads projections synchronously at the snapshot's position. */
  readonly observe?: (viewer: Viewer, context: SnapshotContext) => Record<string, unknown>
  /** Returns large fields that many viewers share, at least one; otherwise like `observe`. */
  readonly share?: (viewer: Viewer, server: ServerFacts) => SharedFields
  /** Reads the database at the same position. */
  readonly read?: (
    db: SnapshotDb,
    viewer: Viewer,
    context: SnapshotContext,
  ) => Promise<Record<string, unknown> | ComposedResponse>
  /** Returns the fields for a spectator; without it, spectators get none. */
  readonly spectatorFields?: (spectator: Spectator, server: ServerFacts) => Record<string, unknown>
}

/** Fields of the register response that several viewers share. */
export interface SharedFields {
  /**
   * Viewers with the same key get the same fields, so the key covers all inputs except projections. Undefined for one
   * viewer alone.
   */
  readonly key: string | undefined
  /** Reads only projections. The result, which can be JSON text, is cached until one of them changes. */
  readonly make: (organization: OrganizationState) => Record<string, unknown> | JsonPieces
}

/** Client without an account, which sees public content. */
export type Spectator = Omit<Viewer, 'userId'>

export interface SnapshotContext {
  readonly server: ServerFacts
  readonly actor: Actor
  readonly now: number
  /** Requested event types; null for all. */
  readonly eventTypes: readonly string[] | null
  /** Age limit of presence data, in days. */
  readonly presenceHistoryDays: number
}

export interface ServerFacts {
  readonly version: string
  /** UNIX seconds. */
  readonly startedAt: number
  readonly development: boolean
  /** API names in responses. */
  readonly apiNames: ApiNames
  /** Whether organizations can make channels web-public. */
  readonly webPublicChannels: boolean
  /** URL of an organization, without a trailing slash. */
  readonly urlOf: (organization: OrganizationState) => string
  /** URL for a subdomain, whether or not it is in use, without a trailing slash. */
  readonly urlAt: (stringId: string) => string
  /** Subdomain of a host name, empty for the bare domain; undefined for foreign names. */
  readonly subdomainAt: (host: string) => string | undefined
  /** Creates an organization. Changes of the action are applied immediately. */
  createOrganization<Result>(this: void, stringId: string, action: (tx: Tx) => Promise<Result>): Promise<Result>
  readonly health: Health
  readonly checkup: Checkup
  readonly queues: Queues
  /** Lets requests wait for work that follows an event. */
  readonly consumers: Consumers
  readonly queueLimits: QueueLimits
  readonly files: FileStore
  /** Maximum size of an upload, and quota per organization; null for no limit. */
  readonly uploadLimits: { readonly maxMebibytes: number; readonly quotaMebibytes: number | null }
  /** Tokens of links that are emailed or shown again. */
  readonly tokens: Tokens
  readonly mailer: Mailer
  /** Identity provider for sign-in, if configured. */
  readonly openid: OpenidProvider | undefined
  /** Default Jitsi server; undefined if there is none. */
  readonly jitsiUrl: string | undefined
  /** Domain of channels' email addresses; undefined if the server does not receive email. */
  readonly incomingMailDomain: string | undefined
  /** The only way to send requests to URLs entered by users. */
  readonly outside: Outside
  /** Logs an error that does not affect the response. */
  readonly report: (error: unknown) => void
  /** Register response parts of all capabilities. */
  readonly snapshotParts: readonly SnapshotPart[]
}
